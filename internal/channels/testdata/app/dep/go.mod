module example.test/dep

go 1.25.0
