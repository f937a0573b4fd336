/** An HTTP answer before it is written. */
export type HttpAnswer = {
  readonly status: number
  readonly type: string
  readonly body: string | Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

export const text = 'text/plain; charset=utf-8'
export const json = 'application/json; charset=utf-8'
