
# The tests call the library as a host does.
test: $(LIBRARY) Tests/main.c
	$(CC) $(CFLAGS) -I $(SIGNET)/Sources/Plugins/CSignetPlugin/include -o build/test Tests/main.c -ldl
	build/test $(LIBRARY)

.PHONY: test
