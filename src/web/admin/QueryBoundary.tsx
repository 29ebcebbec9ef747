import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'

type Props<Answer> = { query: UseQueryResult<Answer>; children: (answer: Answer) => ReactNode }

/** Shows the answer, a spinner until it arrives, or the error with a retry. Data that failed to refresh stays, marked as old. */
export function QueryBoundary<Answer>({ query: { data, error, refetch, isFetching }, children }: Props<Answer>) {
  if (data !== undefined)
    return (
      <>
        {error && (
          <div className="mb-4">
            <Notice title="This may be out of date">{sentenceOf(error)}</Notice>
          </div>
        )}
        {children(data)}
      </>
    )
  if (!error)
    return (
      <p role="status" className="flex items-center gap-3 py-10 text-ink-soft">
        <Spinner /> Loading...
      </p>
    )
  return (
    <div className="grid justify-items-start gap-4">
      <Notice>{sentenceOf(error)}</Notice>
      <Button variant="outline" busy={isFetching} onClick={() => void refetch()}>
        Try again
      </Button>
    </div>
  )
}
