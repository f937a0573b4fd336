/** The sources run on React 18 too, which is not installed here: what only React 19 has is refused by name. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createElement } from 'react'
import ts from 'typescript'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PageTitle } from '../../react/ui/Page.tsx'
import { mount } from './mount.ts'

/** What React 18 exports, as far as new code may use it. */
const exports18: Readonly<Record<string, string>> = {
  react:
    'Children Component Fragment Profiler PureComponent StrictMode Suspense cloneElement createContext createElement ' +
    'createRef forwardRef isValidElement lazy memo startTransition useCallback useContext useDebugValue ' +
    'useDeferredValue useEffect useId useImperativeHandle useInsertionEffect useLayoutEffect useMemo useReducer useRef ' +
    'useState useSyncExternalStore useTransition version',
  'react-dom': 'createPortal flushSync version',
  'react-dom/client': 'createRoot hydrateRoot',
  'react-dom/server': 'renderToPipeableStream renderToReadableStream renderToStaticMarkup renderToString version',
}

/** Elements that React 19 moves to the head, and React 18 leaves where they are. */
const moved = ['title', 'meta', 'link', 'style', 'script']

type Sources = Readonly<Record<string, string>>

/** What the sources use that React 18 does not have, as `file: API`. */
const newerThan18 = (sources: Sources): readonly string[] => {
  const files = Object.entries(sources).map(([path, text]) =>
    ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX),
  )
  const contexts = new Set(files.flatMap((file) => nodesOf(file).flatMap(contextName)))
  return files.flatMap((file) => {
    const nodes = nodesOf(file)
    const packaged = new Set(nodes.filter(ts.isImportDeclaration).filter(isOfPackage).flatMap(localNames))
    return nodes.flatMap((node) => newerOf(node, contexts, packaged)).map((api) => `${file.fileName}: ${api}`)
  })
}

const newerOf = (node: ts.Node, contexts: ReadonlySet<string>, packaged: ReadonlySet<string>): readonly string[] => {
  if (ts.isImportDeclaration(node)) return newerImports(node)
  if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
    const tag = node.tagName.getText()
    const isOwn = /^[A-Z]/.test(tag)
    const attributes = node.attributes.properties.filter(ts.isJsxAttribute).map(({ name }) => name.getText())
    return [
      ...(contexts.has(tag) ? [`<${tag}> as a provider`] : []),
      ...(moved.includes(tag) ? [`<${tag}> in a component`] : []),
      ...(isOwn && !packaged.has(tag.split('.')[0] ?? '') && attributes.includes('ref') ? [`ref of <${tag}>`] : []),
      ...(isOwn ? [] : attributes.filter((name) => /^(a|formA)ction$/.test(name)).map((name) => `<${tag} ${name}>`)),
    ]
  }
  const isRefProp =
    (ts.isBindingElement(node) && (node.propertyName ?? node.name).getText() === 'ref') ||
    (ts.isPropertySignature(node) && node.name.getText() === 'ref') ||
    (ts.isPropertyAccessExpression(node) && node.name.text === 'ref')
  return isRefProp ? ['ref as a prop'] : []
}

/** Types are no part of what runs. A module as a whole would hide which of its names are used. */
const newerImports = ({ importClause, moduleSpecifier }: ts.ImportDeclaration): readonly string[] => {
  const known = exports18[(moduleSpecifier as ts.StringLiteral).text]?.split(' ')
  if (known === undefined || importClause === undefined || importClause.phaseModifier !== undefined) return []
  const { name, namedBindings } = importClause
  if (name !== undefined || (namedBindings !== undefined && ts.isNamespaceImport(namedBindings)))
    return ['all of React']
  return (namedBindings?.elements ?? [])
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map((element) => (element.propertyName ?? element.name).text)
    .filter((imported) => !known.includes(imported))
}

const nodesOf = (node: ts.Node): readonly ts.Node[] => {
  const found: ts.Node[] = [node]
  node.forEachChild((child) => {
    found.push(...nodesOf(child))
  })
  return found
}

const contextName = (node: ts.Node): readonly string[] => {
  if (!ts.isVariableDeclaration(node) || node.initializer === undefined) return []
  const { initializer } = node
  return ts.isCallExpression(initializer) && initializer.expression.getText() === 'createContext'
    ? [node.name.getText()]
    : []
}

const isOfPackage = ({ moduleSpecifier }: ts.ImportDeclaration): boolean =>
  !(moduleSpecifier as ts.StringLiteral).text.startsWith('.')

const localNames = ({ importClause }: ts.ImportDeclaration): readonly string[] => {
  const bindings = importClause?.namedBindings
  return bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : []
}

const root = join(import.meta.dirname, '..', '..')

/** It renders the title in both ways: React 19 moves the element, and an effect sets the title for React 18. */
const titled = 'react/ui/Page.tsx: <title> in a component'

afterEach(() => vi.unstubAllGlobals())

describe('React 18', () => {
  it('has every API that the sources use', () => {
    const names = readdirSync(join(root, 'react'), { recursive: true, encoding: 'utf8' })
    const paths = names.filter((name) => /\.tsx?$/.test(name)).map((name) => `react/${name}`)
    const sources = Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))

    expect(paths.length).toBeGreaterThan(100)
    expect(newerThan18(sources)).toEqual([titled])
  })

  it.each([
    ['use', `import { use, useState } from 'react'`],
    ['useActionState', `import { useActionState as useOne } from 'react'`],
    ['useEffectEvent', `import { useEffectEvent, type Ref } from 'react'`],
    ['useOptimistic', `import { useOptimistic } from 'react'`],
    ['Activity', `import { Activity } from 'react'`],
    ['cache', `import { cache } from 'react'`],
    ['useFormStatus', `import { useFormStatus } from 'react-dom'`],
    ['preload', `import { preload } from 'react-dom'`],
    ['all of React', `import * as React from 'react'`],
    ['all of React', `import React from 'react'`],
    ['<One> as a provider', `const One = createContext(1); const A = () => <One value={2}>x</One>`],
    ['ref as a prop', `const A = ({ ref }) => <p ref={ref} />`],
    ['ref as a prop', `const A = ({ ref: own }) => <p ref={own} />`],
    ['ref as a prop', `const A = (props) => <p ref={props.ref} />`],
    ['ref as a prop', `type Props = { readonly ref?: Ref<Element> }`],
    ['ref of <Own>', `import { Own } from './Own.tsx'; const A = () => <Own ref={one} />`],
    ['<form action>', `const A = () => <form action={send} />`],
    ['<button formAction>', `const A = () => <button formAction={send} />`],
    ['<meta> in a component', `const A = () => <meta name="robots" />`],
  ])('does not have %s', (api, source) => {
    expect(newerThan18({ 'a.tsx': source })).toEqual([`a.tsx: ${api}`])
  })

  it.each([
    `import { useState, type Ref } from 'react'; import type { use } from 'react'`,
    `const One = createContext(1); const A = () => <One.Provider value={2}>x</One.Provider>`,
    `import { Base } from '@base/ui'; const A = ({ headingRef }) => <Base ref={headingRef}><p ref={headingRef} /></Base>`,
    `const A = () => <Notice action={<a href="/">x</a>} />`,
  ])('has the API in: %s', (source) => {
    expect(newerThan18({ 'a.tsx': source })).toEqual([])
  })

  it('gets the title of a page, although it does not move the element', async () => {
    const Silent = ({ title }: { readonly title: string }) => {
      PageTitle({ children: title })
      return null
    }

    const page = await mount(createElement(Silent, { title: 'Sign in' }))
    expect(document.title).toBe('Sign in')
    await page.render(createElement(Silent, { title: 'Signed in' }))
    expect(document.title).toBe('Signed in')
  })
})
