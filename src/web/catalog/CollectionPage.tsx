import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router'
import type { CollectionView } from '#contract/collections.ts'
import { collectionInPath } from '#domain/catalog/collections.ts'
import { say, sayKnown } from '#words/say.ts'
import { collectionQuery } from '#web/api/queries.ts'
import { useCollections } from '#web/app/use-collections.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PageHead } from '#web/ui/PageHead.tsx'
import { toPicture } from './hero.ts'
import { Picture } from './Picture.tsx'
import { Listing } from './Listing.tsx'
import { listHead } from './Pager.tsx'
import { ProductGridLoading } from './ProductGrid.tsx'
import { StoryBlock } from './StoryBlock.tsx'

// Part of the page that the server sends; its script is loaded when nothing else is to do.
const CollectionDrop = import.meta.env.SSR
  ? (await import('#web/drops/DropTeaser.tsx')).CollectionDrop
  : lazy(async () => ({ default: (await import('#web/drops/DropTeaser.tsx')).CollectionDrop }))

export function CollectionPage() {
  const { pathname } = useLocation()
  const collections = useCollections()
  const link = collectionInPath(pathname, collections)
  const { data, isError } = useQuery({ ...collectionQuery(link?.slug ?? ''), enabled: link !== undefined })
  const view = data?.collection
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

  return (
    <>
      <PageHead
        title={view.seoTitle || sayKnown(view.displayName)}
        description={view.seoDescription || view.description}
      />
      <Hero view={view} />
      {view.hasIntro && <Intro view={view} />}
      <Suspense>
        <CollectionDrop id={view.id} />
      </Suspense>
      {view.isComingSoon ? (
        <ComingSoon view={view} />
      ) : (
        <section aria-label={say('Products')} {...listHead} className="shell mt-6 scroll-mt-24 outline-none lg:mt-8">
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
      {/* The first collection's stands on the page of all products. */}
      {view.story && view.id !== collections[0]?.id && <StoryBlock {...view} />}
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

function Hero({ view }: { view: CollectionView }) {
  const { intro } = view
  return (
    <header className="on-dark bg-strong pattern text-ivory">
      <div
        className={classNames(
          'shell grid items-center gap-x-16 gap-y-5 py-5 sm:py-8 lg:py-11',
          intro !== null && 'md:grid-cols-[1.1fr_1fr]',
        )}
      >
        <div>
          {/* Ivory: gold is too faint on a light primary color. */}
          <p className="eyebrow flex items-center gap-3 text-ivory before:h-px before:w-8 before:bg-gold">
            {sayKnown(view.displayName)}
          </p>
          <h1 className="mt-2.5 text-[2rem] leading-[1.06] sm:text-headline lg:text-[3.75rem]">{view.heroTitle}</h1>
          <p className="mt-3 max-w-[33em] text-ivory/85 lg:text-lg">{view.heroSubtitle}</p>
        </div>
        {intro && (
          <Picture
            picture={toPicture(intro)}
            alt={intro.alt}
            sizes="(min-width: 768px) 40vw, 92vw"
            first
            className="bleed-on-phones aspect-video object-cover md:w-full md:rounded-card max-md:-mb-5 sm:max-md:-mb-8 lg:aspect-[2.1]"
          />
        )}
      </div>
    </header>
  )
}

/** With the animal's picture, unless the banner has one. */
function Intro({ view }: { view: CollectionView }) {
  const picture = view.intro ? null : view.hero
  return (
    <section aria-label={say('About {name}', { name: view.petName })} className="border-b border-line bg-surface">
      <div
        className={classNames(
          'shell grid items-center gap-x-5 gap-y-2.5 pt-5 pb-2 md:gap-x-16 md:py-6 lg:py-8',
          picture ? 'md:grid-cols-2' : 'md:grid-cols-[1.1fr_1fr]',
        )}
      >
        {picture && (
          <Picture
            picture={toPicture(picture)}
            alt={picture.alt}
            sizes="(min-width: 768px) 40vw, 92vw"
            first
            className="bleed-on-phones aspect-[2.2] object-cover md:w-full md:rounded-card max-md:-mt-5 md:order-last md:aspect-video lg:aspect-[2.15]"
          />
        )}
        <div className={picture ? 'contents md:block' : 'contents'}>
          <p className="order-1 max-w-[17em] font-display text-[1.1875rem] leading-snug! md:text-[1.5rem] lg:text-[1.875rem]">
            {view.welcomeMessage}
          </p>
          <div
            className={classNames('order-3 max-w-[32.5em] text-ink-soft', picture !== null && 'col-span-full md:mt-3')}
          >
            <p>{view.description}</p>
            <p className="flex flex-wrap items-center gap-x-6 md:mt-1">
              {view.channelUrl && (
                <a
                  href={view.channelUrl}
                  rel="noopener"
                  className="inline-flex min-h-11 items-center gap-1.5 font-semibold text-ink link-line"
                >
                  {view.channelName}
                  <Icon name="out" className="size-4" />
                </a>
              )}
              <span>{view.socialHashtag}</span>
            </p>
          </div>
        </div>
      </div>
    </section>
  )
}

const Unavailable = () => (
  <div role="alert" className="max-w-[30.2em] py-10">
    <h2 className="text-title">{say('Collection Temporarily Unavailable')}</h2>
    <p className="mt-3 mb-6 text-lg text-ink-soft">
      {say("We're experiencing high traffic. Please try again in a moment.")}
    </p>
    <Button onClick={() => location.reload()}>{say('Refresh Collection')}</Button>
  </div>
)
