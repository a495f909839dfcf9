// Package grpc has the names of grpc that the tests use.
package grpc

type ServerStream interface {
	SendMsg(m any) error
	RecvMsg(m any) error
}
