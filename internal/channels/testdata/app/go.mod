module example.test/app

go 1.25.0

require example.test/dep v0.0.0

replace example.test/dep => ./dep
