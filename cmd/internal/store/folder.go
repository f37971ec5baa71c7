package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// Default is the folder of a module for which the user names none: in the
// user's cache folder, and of this checkout alone.
func Default(module string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a folder for the inputs: %w; name one with --corpus", err)
	}
	module, err = filepath.Abs(module)
	if err != nil {
		return "", fmt.Errorf("find a folder for the inputs: %w; name one with --corpus", err)
	}
	sum := sha256.Sum256([]byte(module))
	return filepath.Join(cache, "replyproof", "nightly", filepath.Base(module)+"-"+hex.EncodeToString(sum[:4])), nil
}
