import type { Queue } from '#contract/reconciliation.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { formatNewYorkTime } from './date-format.ts'

const words: Readonly<Record<Queue['name'], { what: string; wait: string }>> = {
  printer: { what: 'orders', wait: 'wait in line at the printer' },
  emails: { what: 'emails', wait: 'wait to be sent' },
  tax: { what: 'tax records', wait: 'wait for Stripe Tax' },
}

/** Where a crowd waits: nothing is wrong with it, so each line is one sentence. */
export const QueueList = ({ queues }: { queues: readonly Queue[] }) =>
  queues.length > 0 && (
    <div className="mb-5">
      <Notice tone="calm">
        <ul className="grid gap-1">
          {queues.map(({ name, waiting, since, doneAt }) => (
            <li key={name}>
              <strong>
                {waiting.toLocaleString('en-US')} {words[name].what}
              </strong>{' '}
              {words[name].wait}, the first since <time dateTime={since}>{formatNewYorkTime(since)}</time>.{' '}
              {doneAt ? (
                <>
                  At today’s pace, the last is through at <time dateTime={doneAt}>{formatNewYorkTime(doneAt)}</time>.
                </>
              ) : (
                'None got through in the last five minutes; the shop keeps trying.'
              )}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
