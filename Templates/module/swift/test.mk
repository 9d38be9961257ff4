
test:
	$(BUILD_VARIABLES) swift test $(BUILD_FLAGS)

.PHONY: test
