import { useEffect, useRef, type ReactNode } from 'react'
import { Heading, Stack } from '../../ui/Stack.tsx'
import { PageTitle } from '../../ui/Page.tsx'

/** A view that appears by itself. Its heading takes the focus, so that a screen reader reads it. */
export const View = ({ title, lead, children }: ViewProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <Stack>
      <PageTitle>{title}</PageTitle>
      <Heading title={title} headingRef={heading}>
        {lead}
      </Heading>
      {children}
    </Stack>
  )
}

export type ViewProps = { readonly title: string; readonly lead?: ReactNode; readonly children?: ReactNode }
