package provider

// Read maps a profile as for a custom provider.
func (c Custom) Read(profile []byte) (Profile, error) {
	document, err := parseDocument(profile)
	if err != nil {
		return Profile{}, err
	}
	found := c.read(c.Issuer, document)
	return found, found.check()
}

// ReadAll reads a profile as for each provider with ID tokens.
func ReadAll(profile []byte) ([]Profile, error) {
	document, err := parseDocument(profile)
	if err != nil {
		return nil, err
	}
	var found []Profile
	for _, kind := range kinds {
		if kind.read != nil {
			if who := kind.read("https://issuer.test", document); who.check() == nil {
				found = append(found, who)
			}
		}
	}
	return found, nil
}

// ClaimedIssuer returns the issuer of an unverified token.
func ClaimedIssuer(raw string) (string, error) { return claimedIssuer(raw) }
