import type { Parcel } from '#contract/orders.ts'
import { formatClockTime } from '#domain/orders/clock-time.ts'
import { say, sayKnown } from '#words/say.ts'
import { FoldIcon } from '#web/ui/FoldIcon.tsx'

const LATEST = 3

/** What the carrier reported about a parcel, the latest first; older news folded away. */
export function ParcelEvents({ events }: Pick<Parcel, 'events'>) {
  if (events.length === 0) return null
  const older = events.slice(LATEST)
  return (
    <div className="mt-4 border-t border-line pt-3 text-[0.9375rem]">
      <EventList events={events.slice(0, LATEST)} />
      {older.length > 0 && (
        <details className="group mt-1">
          <summary className="flex min-h-11 cursor-pointer items-center justify-between gap-4 font-medium">
            {say('Earlier news ({count})', { count: older.length })}
            <FoldIcon className="size-5" />
          </summary>
          <EventList events={older} />
        </details>
      )}
    </div>
  )
}

const EventList = ({ events }: Pick<Parcel, 'events'>) => (
  <ol aria-label={say('Where it has been')} className="grid gap-2">
    {events.map(({ text, place, at }) => (
      <li key={`${at} ${text}`} className="flex flex-wrap justify-between gap-x-6">
        <span className="font-medium">
          {sayKnown(text)}
          {place && <span className="font-normal text-ink-soft">, {place}</span>}
        </span>
        <time dateTime={at} className="text-ink-soft">
          {formatClockTime(new Date(at))}
        </time>
      </li>
    ))}
  </ol>
)
