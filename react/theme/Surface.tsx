import { createContext, useContext, type ReactNode } from 'react'
import type { Theme } from '../../domain/model/Theme.ts'
import { look, type Look } from './variables.ts'
import './tokens.css'

const LookContext = createContext<Look>(look({}))

/** Applies the partner's theme to its content. A dialog is drawn elsewhere in the page and needs its own surface. */
export const Surface = ({ theme, className, children }: SurfaceProps) => {
  const inherited = useContext(LookContext)
  const { mode, variables } = theme === undefined ? inherited : look(theme)
  return (
    <LookContext.Provider value={theme === undefined ? inherited : { mode, variables }}>
      <div data-tandem="" data-mode={mode} className={className} style={variables}>
        {children}
      </div>
    </LookContext.Provider>
  )
}

export type SurfaceProps = {
  /** By default that of the surface around it. */
  readonly theme?: Theme | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}
