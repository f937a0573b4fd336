import 'react'

/** The custom properties of tokens.css, as a component may set them. */
declare module 'react' {
  interface CSSProperties {
    [name: `--tandem-${string}`]: string | undefined
  }
}
