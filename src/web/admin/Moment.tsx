import { formatNewYorkTime } from './date-format.ts'

/** A moment that stays on one line, as in a table. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} className="whitespace-nowrap">
    {formatNewYorkTime(at)}
  </time>
)
