package pg

// OrNull returns nil for an empty text, which is null in SQL and JSON.
func OrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
