import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { say } from '#words/say.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { Button } from './Button.tsx'
import { classNames } from './class-names.ts'
import { Notice } from './Notice.tsx'
import { Spinner } from './Spinner.tsx'

type Props<Answer> = {
  query: UseQueryResult<Answer>
  /** Of the failure; unset: the server's sentence says enough. */
  failureTitle?: string
  /** Another way on after a failure, beside the retry. */
  wayOut?: ReactNode
  /** Of the loading line, which keeps the space of the answer. */
  className?: string
  children: (answer: Answer) => ReactNode
}

/** Shows the answer, a spinner until it arrives, or the error with a retry. Data that failed to refresh stays, marked as old. */
export function QueryBoundary<Answer>({ query, failureTitle, wayOut, className = 'py-10', children }: Props<Answer>) {
  const { data, error, refetch, isFetching } = query
  if (data !== undefined)
    return (
      <>
        {error && (
          <div className="mb-4">
            <Notice title={say('This may be out of date')}>{sentenceOf(error)}</Notice>
          </div>
        )}
        {children(data)}
      </>
    )
  if (!error)
    return (
      <p role="status" className={classNames('flex items-center gap-3 text-ink-soft', className)}>
        <Spinner /> {say('Loading...')}
      </p>
    )
  return (
    <div className="grid justify-items-start gap-4">
      <Notice {...(failureTitle && { title: failureTitle })}>{sentenceOf(error)}</Notice>
      <Button variant="outline" busy={isFetching} onClick={() => void refetch()}>
        {say('Try again')}
      </Button>
      {wayOut}
    </div>
  )
}
