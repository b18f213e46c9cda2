module oxo

go 1.26
