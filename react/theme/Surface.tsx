import { createContext, useContext, type ReactNode } from 'react'
import type { Theme } from '../../domain/model/Theme.ts'
import { look, type Look } from './variables.ts'
import './tokens.css'

const LookContext = createContext<Look>(look({}))

/** Whatever is drawn inside has the partner's theme. A dialog, which is drawn elsewhere, begins its own surface. */
export const Surface = ({ theme, className, children }: SurfaceProps) => {
  const inherited = useContext(LookContext)
  const { mode, variables } = theme === undefined ? inherited : look(theme)
  return (
    <LookContext value={theme === undefined ? inherited : { mode, variables }}>
      <div data-tandem="" data-mode={mode} className={className} style={variables}>
        {children}
      </div>
    </LookContext>
  )
}

export type SurfaceProps = {
  /** Absent: that of the surface around it. */
  readonly theme?: Theme | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}
