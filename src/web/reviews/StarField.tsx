import { use, useId, useState } from 'react'
import { STARS_MAX } from '#domain/reviews/review.ts'
import { say, sayKnown } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { FormContext } from '#web/ui/form-context.ts'
import { classNames } from '#web/ui/class-names.ts'

/** From one star to five. */
const opinions = [
  'Not for me',
  'Could be better',
  'It’s fine',
  'I like it',
  'I love it',
] as const satisfies readonly Word[]

/** Five radio buttons that look like stars: arrow keys choose, and every star says its number. */
export function StarField({ initial }: { initial: number | undefined }) {
  const [chosen, setChosen] = useState(initial ?? 0)
  const [pointed, setPointed] = useState(0)
  const errorId = useId()
  const error = use(FormContext).errorOf('stars')
  const shown = pointed || chosen
  return (
    <fieldset {...(error && { 'aria-describedby': errorId })}>
      <legend className="text-[0.9375rem] font-medium">{say('Your stars')}</legend>
      <div className="mt-1 flex flex-wrap items-center gap-x-4">
        <div className="-ml-1.5 flex" onPointerLeave={() => setPointed(0)}>
          {Array.from({ length: STARS_MAX }, (_, index) => index + 1).map((stars) => (
            <label
              key={stars}
              onPointerEnter={() => setPointed(stars)}
              className="cursor-pointer rounded-card p-1.5 text-accent has-focus-visible:outline-2"
            >
              <input
                type="radio"
                name="stars"
                value={stars}
                checked={stars === chosen}
                onChange={() => setChosen(stars)}
                className="sr-only"
              />
              <span className="sr-only">
                {say('{stars, plural, one {# star} other {# stars}}: {opinion}', {
                  ...{ stars, opinion: say(opinions[stars - 1] ?? 'It’s fine') },
                })}
              </span>
              <svg viewBox="0 0 22 20" aria-hidden="true" className="h-8 w-auto">
                <path
                  d="m10 1.8 2.5 5.3 5.8.7-4.3 4 1.2 5.7-5.2-2.9-5.2 2.9 1.2-5.7-4.3-4 5.8-.7z"
                  fill={stars <= shown ? 'currentColor' : 'none'}
                  stroke="currentColor"
                  strokeWidth="1.2"
                  strokeLinejoin="round"
                />
              </svg>
            </label>
          ))}
        </div>
        <span aria-hidden="true" className={classNames('text-[0.9375rem]', shown === 0 && 'text-ink-soft')}>
          {say(opinions[shown - 1] ?? 'Choose one to five')}
        </span>
      </div>
      {error && (
        <p id={errorId} className="mt-1 text-sm font-medium text-danger">
          {sayKnown(error)}
        </p>
      )}
    </fieldset>
  )
}
