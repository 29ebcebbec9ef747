import type { CollectionView } from '#contract/collections.ts'
import { paths } from '#contract/paths.ts'
import { say } from '#words/say.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { CollectionLinks } from '#web/app/frame/CollectionLinks.tsx'
import { Link } from '#web/app/Link.tsx'
import { useCollections } from '#web/app/use-collections.ts'
import { StoryBlock } from './StoryBlock.tsx'

/** So many fill one row, on phones too. */
const OTHERS_MAX = 2

/** After a collection's goods: its story, and the ways on. */
export function CollectionEnd(view: CollectionView) {
  const collections = useCollections()
  const index = collections.findIndex(({ id }) => id === view.id)
  // Those that follow it, and then from the start, so that each is led to.
  const others = [...collections.slice(index + 1), ...collections.slice(0, index)].slice(0, OTHERS_MAX)
  return (
    <>
      {view.hasIntro && <About {...view} />}
      {/* The first collection's stands on the page of all products. */}
      {view.story && index !== 0 && <StoryBlock {...view} />}
      {others.length > 0 && (
        <section aria-labelledby="others" className="shell mt-12 lg:mt-24">
          <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 lg:mb-6 lg:border-t lg:border-line lg:pt-10">
            <h2 id="others" className="text-title">
              {say('Other collections')}
            </h2>
            <Link to={paths.products} className="link-line inline-flex min-h-11 items-center font-semibold">
              {say('See all products')}
            </Link>
          </div>
          <CollectionLinks collections={others} isWide />
        </section>
      )}
    </>
  )
}

/** What the collection is, and where its animal is seen; not in the head, so that the goods begin early. */
const About = ({ name, description, channelName, channelUrl, socialHashtag }: CollectionView) => (
  <div className="shell mt-6 lg:mt-12">
    <div className="rounded-card border border-line bg-surface p-5 text-ink-soft md:p-7 lg:grid lg:grid-cols-[auto_1fr_auto] lg:items-center lg:gap-x-12">
      <h2 className="text-[1.375rem] text-ink max-lg:mb-2 lg:text-title">{name}</h2>
      <p>{description}</p>
      <p className="flex flex-wrap items-center gap-x-6">
        {channelUrl && (
          <a
            href={channelUrl}
            rel="noopener"
            className="link-line inline-flex min-h-11 items-center gap-1.5 font-semibold text-ink"
          >
            {channelName}
            <Icon name="out" className="size-4" />
          </a>
        )}
        <span>{socialHashtag}</span>
      </p>
    </div>
  </div>
)
