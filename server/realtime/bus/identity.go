package bus

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// identity has the credentials with which servers that share a secret authenticate one another.
type identity struct {
	password string
	tls      *tls.Config
}

// newIdentity derives an identity from a secret: a password, and a private key. Each server issues its
// own certificate for the key. Both ends of a connection must prove that they have the key.
func newIdentity(secret []byte) (*identity, error) {
	password, err := hkdf.Key(sha256.New, secret, nil, "plaza/bus/password", 32)
	if err != nil {
		return nil, fmt.Errorf("derive the bus's password: %w", err)
	}
	seed, err := hkdf.Key(sha256.New, secret, nil, "plaza/bus/key", ed25519.SeedSize)
	if err != nil {
		return nil, fmt.Errorf("derive the bus's key: %w", err)
	}
	key := ed25519.NewKeyFromSeed(seed)
	certificate, err := selfSigned(key)
	if err != nil {
		return nil, err
	}
	public := key.Public().(ed25519.PublicKey)
	return &identity{hex.EncodeToString(password), &tls.Config{
		Certificates: []tls.Certificate{*certificate}, MinVersion: tls.VersionTLS13, SessionTicketsDisabled: true, ClientAuth: tls.RequireAnyClientCert,
		InsecureSkipVerify: true, // there is no CA: VerifyConnection compares the public key
		VerifyConnection: func(state tls.ConnectionState) error {
			if len(state.PeerCertificates) > 0 {
				if key, ok := state.PeerCertificates[0].PublicKey.(ed25519.PublicKey); ok && bytes.Equal(key, public) {
					return nil
				}
			}
			return errors.New("the other server has a different secret")
		},
	}}, nil
}

// selfSigned returns a certificate for a key. It never expires, since only the key is compared.
func selfSigned(key ed25519.PrivateKey) (*tls.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 64))
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial, NotBefore: time.Unix(0, 0), NotAfter: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("make the bus's certificate: %w", err)
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
