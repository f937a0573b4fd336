import { useEffect, useRef, type ReactNode } from 'react'
import { Heading, Stack } from '../../ui/Stack.tsx'

/** A view that comes by itself, after something was done: its heading takes the focus, so that it is read out. */
export const View = ({ title, lead, children }: ViewProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Stack>
      <title>{title}</title>
      <Heading title={title} ref={heading}>
        {lead}
      </Heading>
      {children}
    </Stack>
  )
}

export type ViewProps = { readonly title: string; readonly lead?: ReactNode; readonly children?: ReactNode }
