package streamflow

func init() { debugPanics = true }
