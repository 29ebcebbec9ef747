import { useEffect, useEffectEvent, useState } from 'react'
import { MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import { say } from '#words/say.ts'
import { useShopTime } from '#web/api/use-shop-time.ts'
import { Sentence } from '#web/ui/Sentence.tsx'

/** Minutes left at which screen readers announce it. */
const ANNOUNCED = [30, 10, 5, 1]

/** The time left until a moment; a line of the same height before hydration. `onEnd` is called once it is over. */
export function TimeLeft({ until, onEnd }: { until: string; onEnd: () => void }) {
  const [leftMs, setLeftMs] = useState<number>()
  const shopTime = useEffectEvent(useShopTime())
  useEffect(() => {
    const end = new Date(until).getTime()
    const tick = () => setLeftMs(Math.max(0, end - shopTime()))
    tick()
    const timer = setInterval(tick, SECOND_MS)
    return () => clearInterval(timer)
  }, [until])
  const isOver = leftMs === 0
  useEffect(() => {
    if (isOver) onEnd()
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the time is over
  }, [isOver])

  if (leftMs === undefined) return <p className="text-[0.9375rem] leading-7 before:content-['\200b']" />
  const minutes = Math.floor(leftMs / MINUTE_MS)
  const announced = ANNOUNCED.findLast((at) => minutes < at)
  return (
    <>
      <p aria-hidden="true" className="min-h-7 text-[0.9375rem] leading-7 text-ink-soft">
        <Sentence
          word="{time} left"
          parts={{ time: <span className="font-semibold text-ink">{clockOf(leftMs)}</span> }}
        />
      </p>
      <p role="status" className="sr-only">
        {announced !== undefined &&
          say('Less than {minutes, plural, one {a minute} other {# minutes}} left', { minutes: announced })}
      </p>
    </>
  )
}

const twoDigits = (count: number): string => String(count).padStart(2, '0')

/** `29:41`, or `2:05:00` above an hour. People who want less motion see whole minutes. */
function clockOf(leftMs: number): string {
  const [minutes, seconds] = [Math.floor(leftMs / MINUTE_MS), Math.floor((leftMs % MINUTE_MS) / SECOND_MS)]
  if (matchMedia('(prefers-reduced-motion: reduce)').matches)
    return minutes === 0 ? say('Less than a minute') : say('{minutes} min', { minutes })
  if (minutes < 60) return `${minutes}:${twoDigits(seconds)}`
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds)}`
}
