module example.org/library

go 1.26.0

require oxo v0.0.0

replace oxo => ../..
