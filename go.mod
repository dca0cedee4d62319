module plaza

go 1.26

ignore (
	./client/node_modules
	./.tools
)
