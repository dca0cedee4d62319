package pg

// OrNull returns text as a value that is null where it is empty, in SQL and in JSON.
func OrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
