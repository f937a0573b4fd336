import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as ApiError from '../../../domain/model/ApiError.ts'

const failure = fc.integer({ min: 400, max: 599 })

describe('how a call fails', () => {
  it('success is status 200 and nothing else', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), (status) => {
        expect(ApiError.isSuccess(status)).toBe(status === 200)
      }),
    )
  })

  it("a success or redirection of another status is 'Invalid status code', whatever its body", () => {
    fc.assert(
      fc.property(fc.integer({ min: 201, max: 399 }), fc.jsonValue(), (status, body) => {
        expect(ApiError.fromAnswer({ status, body }).message).toBe('Invalid status code')
      }),
    )
  })

  it("a failure with an empty body is 'Invalid status code'", () => {
    fc.assert(
      fc.property(failure, fc.constantFrom(undefined, null, '', ' \n', {}, []), (status, body) => {
        expect(ApiError.fromAnswer({ status, body }).message).toBe('Invalid status code')
      }),
    )
  })

  it('a failure with a body has it as its message', () => {
    fc.assert(
      fc.property(
        failure,
        fc.string().filter((text) => text.trim() !== ''),
        (status, body) => {
          expect(ApiError.fromAnswer({ status, body }).message).toBe(body)
          expect(ApiError.fromAnswer({ status, body: { message: body } }).message).toBe(body)
        },
      ),
    )
    expect(ApiError.fromAnswer({ status: 400, body: { error: 'no' } }).message).toBe('{"error":"no"}')
  })

  it('wraps message, code, status and response URL', () => {
    const answer = { status: 404, body: 'not here', code: 'WalletDoesNotExist', responseURL: 'http://localhost:8080/x' }

    expect(ApiError.fromAnswer(answer)).toMatchObject({
      _tag: 'ApiError',
      name: 'ApiError',
      message: 'not here',
      code: 'WalletDoesNotExist',
      status: 404,
      responseURL: 'http://localhost:8080/x',
    })
    expect(ApiError.fromAnswer(answer)).toBeInstanceOf(Error)
  })

  it("a network failure gives 'Connection error', a cancelled request 'Connection canceled'", () => {
    const error = ApiError.connectionError('http://localhost:8080/x')

    expect(error.message).toBe('Connection error')
    expect(error.status).toBeUndefined()
    expect(error.responseURL).toBe('http://localhost:8080/x')
    expect(ApiError.connectionCanceled().message).toBe('Connection canceled')
  })

  it("a null error gives 'Error is null'", () => {
    expect(ApiError.fromCause(null).message).toBe('Error is null')
  })

  it("any other failure has its own message, or 'Unknown error'", () => {
    expect(ApiError.fromCause(new TypeError('bad JSON')).message).toBe('bad JSON')
    expect(ApiError.fromCause('bad JSON').message).toBe('bad JSON')
    for (const silent of [undefined, '', 0, {}, [], { message: '' }, { message: 1 }]) {
      expect(ApiError.fromCause(silent).message).toBe('Unknown error')
    }
  })

  it('an API error is returned unchanged', () => {
    const error = ApiError.connectionError()

    expect(ApiError.fromCause(error)).toBe(error)
  })
})
