import type { DropView } from '#contract/drops.ts'
import { dropPaths } from '#contract/drop-paths.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { pathOfCollection, useCollections } from '#web/app/use-collections.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'
import { Countdown, LocalTime, sayEyebrow } from './DropPanel.tsx'

/** A drop on the home page. */
export function DropTeaser({ drop }: { drop: DropView }) {
  const collections = useCollections()
  const collection = collections.find(({ id }) => id === drop.collectionId)
  const isOpen = drop.state === 'open'
  const next = isOpen ? drop.endsAt : drop.startsAt
  return (
    <section aria-labelledby="next-drop" className="shell grid justify-items-start gap-4 py-10 lg:py-14">
      <p className="eyebrow text-ink-soft">{sayEyebrow(drop.state)}</p>
      <h2 id="next-drop" className="text-title">
        {drop.title}
      </h2>
      {next !== null && (
        <>
          <p>
            <Sentence word={isOpen ? 'Ends {time}' : 'Begins {time}'} parts={{ time: <LocalTime at={next} /> }} />
          </p>
          <Countdown key={next} at={next} />
        </>
      )}
      <Link to={collection ? pathOfCollection(collection) : dropPaths.goodsOf(drop)} className={buttonClass('primary')}>
        {say('See it')}
      </Link>
    </section>
  )
}
