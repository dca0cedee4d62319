package account

import (
	"context"

	"plaza/server/auth/autherr"
	"plaza/server/auth/password"
)

// checkPassword refuses a weak, overlong or leaked password.
//
// Errors: 400 validation_failed; 422 weak_password.
func (s *core) checkPassword(ctx context.Context, candidate string) error {
	if len(candidate) > password.MaxLength {
		return autherr.BadRequest(autherr.CodeValidation, "Password cannot be longer than %d characters", password.MaxLength)
	}
	weak, err := s.findWeakness(ctx, candidate)
	if err == nil && weak != nil {
		err = autherr.Unprocessable(autherr.CodeWeakPassword, "%s", weak.Message).WithDetails(weak)
	}
	return err
}

// findWeakness returns why a password is too weak, or nil if it is not.
func (s *core) findWeakness(ctx context.Context, candidate string) (*password.Weakness, error) {
	weak := s.policy.Check(candidate)
	if s.leaked == nil {
		return weak, nil
	}
	leaked, err := s.leaked.Has(ctx, candidate)
	switch {
	case err != nil && s.config.Password.Leaked.FailClosed:
		return nil, autherr.Internal("Unable to perform password strength check with HaveIBeenPwned.org.").WithCause(err)
	case err != nil:
		s.log.WarnContext(ctx, "check for leaked passwords failed", "error", err)
	case leaked:
		weak = weak.With("pwned", "Password is known to be weak and easy to guess, please choose a different one.")
	}
	return weak, nil
}

// hashNewPassword checks and hashes the password of a new account.
func (s *core) hashNewPassword(ctx context.Context, candidate string) (string, error) {
	if candidate == "" {
		return "", autherr.BadRequest(autherr.CodeValidation, "Signup requires a valid password")
	}
	if err := s.checkPassword(ctx, candidate); err != nil {
		return "", err
	}
	return s.Hasher.Hash(ctx, candidate)
}
