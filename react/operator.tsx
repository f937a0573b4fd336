import { createContext, useContext, useEffect, useState, type ReactNode } from 'react'
import { readOperator } from '../adapters/browser/deployment.ts'
import { unnamed, type Operator } from '../domain/model/Operator.ts'

const OperatorContext = createContext(unnamed)

/** Tells the pages of portal and connect who runs them. */
export const OperatorOfOrigin = ({ children }: { readonly children: ReactNode }) => {
  const [operator, setOperator] = useState(unnamed)
  useEffect(() => {
    void readOperator().then((found) => {
      if (found !== undefined) setOperator(found)
    })
  }, [])
  return <OperatorContext.Provider value={operator}>{children}</OperatorContext.Provider>
}

export const useOperator = (): Operator => useContext(OperatorContext)
