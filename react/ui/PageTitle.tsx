import { useEffect } from 'react'

/** The title of the page. React 19 moves the element to the head; React 18 leaves it where it is, so it is set as well. */
export const PageTitle = ({ children }: { readonly children: string }) => {
  useEffect(() => {
    document.title = children
  }, [children])
  return <title>{children}</title>
}
