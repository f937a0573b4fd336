import { readdirSync, readFileSync } from 'node:fs'
import * as Result from 'effect/Result'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Color from '../../react/theme/Color.ts'
import { colors, controlRatio, look, textRatio } from '../../react/theme/variables.ts'
import { themeAt } from '../../adapters/browser/portal.ts'
import * as PortalUrl from '../../domain/model/PortalUrl.ts'
import { borderRadii, modes, type Theme } from '../../domain/model/Theme.ts'
import { times } from '../kit/long.ts'

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const anyTheme: fc.Arbitrary<Theme> = fc.record(
  {
    accentColor: color,
    foregroundColor: color,
    backgroundColor: color,
    primaryButtonColor: color,
    textColor: color,
    primaryButtonTextColor: color,
  },
  { requiredKeys: [] },
)

/** Foreground, background and required contrast (WCAG 2.2 AA, 1.4.3 and 1.4.11). */
const pairs = [
  ['text', 'surface', textRatio],
  ['text', 'raised', textRatio],
  ['muted', 'surface', textRatio],
  ['muted', 'raised', textRatio],
  ['accent', 'surface', textRatio],
  ['primary-text', 'primary', textRatio],
  ['danger', 'surface', textRatio],
  ['success', 'surface', textRatio],
  ['warning', 'surface', textRatio],
  ['control', 'surface', controlRatio],
] as const

const expectReadable = (palette: { readonly [name: string]: Color.Color }) => {
  for (const [front, back, ratio] of pairs) {
    const found = Color.contrast(palette[front]!, palette[back]!)
    expect(found, `${front} on ${back}`).toBeGreaterThanOrEqual(ratio)
  }
}

/** The defaults of tokens.css, in one mode. */
const tokens = (mode: 'light' | 'dark') => {
  const css = readFileSync(new URL('../../react/theme/tokens.css', import.meta.url), 'utf8')
  const found = [...css.matchAll(new RegExp(`var\\(--tandem-${mode}-([a-z-]+), (#[0-9a-f]{6})\\)`, 'g'))]
  return Object.fromEntries(found.map(([, name, value]) => [name!, Color.parse(value!)!]))
}

describe('the theme of our pages', () => {
  it('is readable in light and dark where the partner chose nothing', () => {
    for (const mode of modes) expectReadable(tokens(mode))
  })

  it('has a default for every colour that a theme may set', () => {
    for (const mode of modes) expect(Object.keys(tokens(mode)).sort()).toEqual(Object.keys(colors({}, mode)).sort())
  })

  it('begins from the surface, text and accent of tokens.css', () => {
    for (const mode of modes) {
      const { surface, text, accent } = colors({}, mode)

      expect({ surface, text, accent }).toMatchObject({
        surface: tokens(mode)['surface'],
        text: tokens(mode)['text'],
        accent: tokens(mode)['accent'],
      })
    }
  })

  it('stays readable whatever colours a partner, or the author of the link, chose', () => {
    fc.assert(
      fc.property(anyTheme, fc.constantFrom(...modes), (theme, mode) => expectReadable(colors(theme, mode))),
      { numRuns: times(500, 5_000) },
    )
  })

  it('is the one that the host put into the address of the page', () => {
    const theme: Theme = {
      font: 'IBM Plex Sans',
      borderRadius: 'lg',
      mode: 'dark',
      accentColor: '#336699',
      foregroundColor: '#111111',
      backgroundColor: '#fafafa',
      primaryButtonColor: '#222222',
      textColor: '#333333',
      primaryButtonTextColor: '#ffffff',
    }
    const bases = { hosts: { portal: 'https://portal.example', oauth: 'https://api.example' } }

    const url = Result.getOrThrow(PortalUrl.build(bases, { type: 'login-password' }, { theme }))

    expect(themeAt(url)).toEqual(theme)
  })

  it('keeps the partner’s colours where they are readable', () => {
    const palette = colors({ accentColor: '#7a1fa2', backgroundColor: '#fff8f0', textColor: '#222222' }, 'light')

    expect(palette).toMatchObject({ accent: [122, 31, 162], surface: [255, 248, 240], text: [34, 34, 34] })
  })

  it('is light or dark by the partner’s background, else by its mode, else by the system', () => {
    expect(look({ backgroundColor: '#101820', mode: 'light' }).mode).toBe('dark')
    expect(look({ mode: 'dark' }).mode).toBe('dark')
    expect(look({ accentColor: '#336699' }).mode).toBeUndefined()
    expect(look({ mode: 'sepia' }).mode).toBeUndefined()
  })

  it('sets nothing but colours, radius and the name of a font', () => {
    const { variables } = look({
      accentColor: 'url(https://evil.example/x.png)',
      borderRadius: 'calc(1px)',
      font: 'Inter; background: url(//evil.example)',
    })

    expect(variables).toEqual({})
  })

  it('names a font without its quotes and its list', () => {
    expect(look({ font: '"IBM Plex Sans", serif' }).variables).toEqual({ '--tandem-font-chosen': "'IBM Plex Sans'" })
  })

  it('does not apply to the names of app and origin, nor to what a person decides by, because some fonts draw letters as other signs', () => {
    const cssOf = (file: string) => readFileSync(new URL(`../../react/${file}`, import.meta.url), 'utf8')
    const [tokens, requester, footer, page] = [
      'theme/tokens.css',
      'ui/Requester.module.css',
      'portal/Footer.module.css',
      'ui/Page.module.css',
    ].map(cssOf)
    const [, own = ''] = /--tandem-font-own: ([^;]+);/.exec(tokens ?? '') ?? []

    expect(own).toMatch(/^system-ui, /)
    expect(own).not.toContain('var(')
    expect(requester).toMatch(/\.requester \{[^}]*font-family: var\(--tandem-font-own\)/)
    expect(footer).toMatch(/\.footer \{[^}]*font-family: var\(--tandem-font-own\)/)
    expect(page).toMatch(/\.main\[data-font='own'\] \{[^}]*font-family: var\(--tandem-font-own\)/)
    // Inside of them nothing takes the chosen font again.
    for (const folder of ['ui', 'portal', 'portal/pages', 'portal/views']) {
      const files = readdirSync(new URL(`../../react/${folder}`, import.meta.url)).filter((file) =>
        file.endsWith('.module.css'),
      )
      for (const [, font] of files
        .map((file) => cssOf(`${folder}/${file}`))
        .join('')
        .matchAll(/font(?:-family)?: ([^;]+);/g)) {
        expect(['inherit', 'var(--tandem-font-own)', 'var(--tandem-mono)']).toContain(font)
      }
    }
  })

  it('knows every border radius', () => {
    const radii = borderRadii.map((borderRadius) => look({ borderRadius }).variables['--tandem-radius'])

    expect(new Set(radii).size).toBe(borderRadii.length)
  })
})

describe('a colour', () => {
  it('is read as partners write it', () => {
    expect(Color.parse('#0aF')).toEqual([0, 170, 255])
    expect(Color.parse(' #00AAFF ')).toEqual([0, 170, 255])
    expect(Color.parse('rgb(0, 170, 255)')).toEqual([0, 170, 255])
    expect(Color.parse('White')).toEqual([255, 255, 255])
  })

  it('is not read from another form', () => {
    for (const text of ['', '#12345', 'rgb(0,0,256)', 'var(--x)', 'red; color: blue', '#1234567']) {
      expect(Color.parse(text), text).toBeUndefined()
    }
  })

  it('has the contrasts that WCAG gives as examples', () => {
    expect(Color.contrast(Color.black, Color.white)).toBeCloseTo(21, 5)
    expect(Color.contrast([119, 119, 119], Color.white)).toBeCloseTo(4.48, 2)
  })
})
