module job

go 1.25
