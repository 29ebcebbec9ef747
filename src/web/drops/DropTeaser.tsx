import { useQuery } from '@tanstack/react-query'
import { dropPaths } from '#contract/drop-paths.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { pathOfCollection, useCollections } from '#web/app/use-collections.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'
import { Countdown, DropPanel, LocalTime, sayEyebrow } from './DropPanel.tsx'
import { dropsQuery } from './use-drop.ts'

/** The next drop, or the one that is on sale, for the home page; nothing without one. */
export function NextDrop() {
  const collections = useCollections()
  const drops = useQuery(dropsQuery).data?.drops ?? []
  const inOrder = drops.toSorted((a, b) => a.startsAt.localeCompare(b.startsAt))
  const drop = inOrder.find(({ state }) => state === 'open') ?? inOrder.find(({ state }) => state === 'scheduled')
  if (!drop) return null
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

/** The drop of a whole collection, for its page. */
export function CollectionDrop({ id }: { id: string }) {
  const drops = useQuery(dropsQuery).data?.drops ?? []
  const own = drops.filter(({ collectionId }) => collectionId === id)
  const drop = own.find(({ state }) => state !== 'ended') ?? own[0]
  return (
    drop && (
      <div className="shell mt-10 max-w-[46rem]">
        <DropPanel drop={drop} />
      </div>
    )
  )
}
