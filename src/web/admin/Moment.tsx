import { formatNewYorkTime } from './date-format.ts'

/** New York time on one line, for tables. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} className="whitespace-nowrap">
    {formatNewYorkTime(at)}
  </time>
)
