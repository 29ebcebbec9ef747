import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router'
import type { CollectionView } from '#contract/collections.ts'
import type { CollectionPicture } from '#domain/catalog/collection-theme.ts'
import { collectionInPath } from '#domain/catalog/collections.ts'
import { say, sayKnown } from '#words/say.ts'
import { collectionQuery } from '#web/api/queries.ts'
import { useCollections } from '#web/app/use-collections.ts'
import { dropOf, useDrops } from '#web/drops/use-drop.ts'
import { Button } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { UnbrokenSentences } from '#web/ui/UnbrokenSentences.tsx'
import { toPicture } from './hero.ts'
import { Picture } from './Picture.tsx'
import { Listing } from './Listing.tsx'
import { listHead } from './Pager.tsx'
import { ProductGridLoading } from './ProductGrid.tsx'

// Parts of the page that the server sends; their scripts are loaded when nothing else is to do.
const DropPanel = import.meta.env.SSR
  ? (await import('#web/drops/DropPanel.tsx')).DropPanel
  : lazy(async () => ({ default: (await import('#web/drops/DropPanel.tsx')).DropPanel }))
const CollectionEnd = import.meta.env.SSR
  ? (await import('./CollectionEnd.tsx')).CollectionEnd
  : lazy(async () => ({ default: (await import('./CollectionEnd.tsx')).CollectionEnd }))

export function CollectionPage() {
  const { pathname } = useLocation()
  const collections = useCollections()
  const link = collectionInPath(pathname, collections)
  const { data, isError } = useQuery({ ...collectionQuery(link?.slug ?? ''), enabled: link !== undefined })
  const view = data?.collection
  const drops = useDrops()
  if (isError)
    return (
      <div className="shell">
        <Unavailable />
      </div>
    )
  if (!link || !view)
    return (
      <div className="shell py-14">
        <ProductGridLoading columns={4}>{say('Loading collection...')}</ProductGridLoading>
      </div>
    )

  const drop = dropOf(drops, { collection: view.id })
  return (
    <>
      <PageHead
        title={view.seoTitle || sayKnown(view.displayName)}
        description={view.seoDescription || view.description}
      />
      <Head view={view} />
      {drop && (
        <Suspense>
          <div className="shell mt-10 max-w-[46rem]">
            <DropPanel drop={drop} />
          </div>
        </Suspense>
      )}
      {view.isComingSoon ? (
        <ComingSoon view={view} />
      ) : (
        <section
          aria-label={say('Products')}
          {...listHead}
          className="shell mt-3 scroll-mt-24 outline-none md:mt-8 lg:mt-6"
        >
          <Listing
            key={view.id}
            columns={4}
            collection={view.id}
            loading={say('Loading collection...')}
            failed={<Unavailable />}
            empty={<EmptyCollection />}
          />
        </section>
      )}
      <Suspense>
        <CollectionEnd {...view} />
      </Suspense>
    </>
  )
}

const EmptyCollection = () => <p className="py-10 text-lg">{say('No products found in this collection.')}</p>

const ComingSoon = ({ view }: { view: CollectionView }) => (
  <section aria-labelledby="soon" className="shell grid justify-items-start gap-4 pt-14 lg:pt-20">
    <p className="eyebrow text-ink-soft">{say('Coming soon')}</p>
    <h2 id="soon" className="text-title">
      {say('{pet} is getting ready', { pet: view.petName })}
    </h2>
    <p className="max-w-[34.8em] text-lg text-ink-soft">
      {say('There is nothing to buy yet. Leave your email with the newsletter below, and you’ll hear when there is.')}
    </p>
    <a href="#newsletter" className="link-line font-semibold">
      {say('To the newsletter')}
    </a>
  </section>
)

/** Banner and introduction in one, with the animal: beside them on wide screens, first on phones and tablets. */
function Head({ view }: { view: CollectionView }) {
  const { intro, hero } = view
  return (
    <div className="collection-head on-dark pattern">
      <header>
        <div>
          {/* Ivory: gold is too faint on a light primary color. */}
          <p className="eyebrow">{sayKnown(view.displayName)}</p>
          <h1>
            <UnbrokenSentences>{view.heroTitle}</UnbrokenSentences>
          </h1>
          <p>{view.heroSubtitle}</p>
        </div>
        {intro && <Animal picture={intro} />}
      </header>
      {view.hasIntro && (
        <section aria-label={say('About {name}', { name: view.petName })}>
          {!intro && hero && <Animal picture={hero} />}
          <p>{view.welcomeMessage}</p>
        </section>
      )}
    </div>
  )
}

const Animal = ({ picture }: { picture: CollectionPicture }) => (
  <Picture picture={toPicture(picture)} alt={picture.alt} sizes="(min-width: 1024px) 50vw, 100vw" first />
)

const Unavailable = () => (
  <div role="alert" className="max-w-[30.2em] py-10">
    <h2 className="text-title">{say('Collection Temporarily Unavailable')}</h2>
    <p className="mt-3 mb-6 text-lg text-ink-soft">
      {say("We're experiencing high traffic. Please try again in a moment.")}
    </p>
    <Button onClick={() => location.reload()}>{say('Refresh Collection')}</Button>
  </div>
)
