//go:build !linux

package nightly

import "errors"

func smallDisk(string, string) (func(), error) { return nil, errors.New("only on Linux") }
