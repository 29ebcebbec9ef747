import { useQuery } from '@tanstack/react-query'
import { paths } from '#contract/paths.ts'
import type { CollectionCard } from '#contract/collections.ts'
import { pictureAlt } from '#domain/catalog/gallery.ts'
import { formatList } from '#shared/language.ts'
import { heroes } from '#site/collections/heroes.ts'
import { say, sayKnown } from '#words/say.ts'
import { useSite } from '#web/api/use-site.ts'
import { collectionQuery, collectionsQuery, showcaseQuery } from '#web/api/queries.ts'
import { Link } from '#web/app/Link.tsx'
import { pathOfCollection, useCollections } from '#web/app/use-collections.ts'
import { useShippingTerms } from '#web/app/use-shipping-terms.ts'
import { pathOfCard } from '#web/catalog/card-path.ts'
import { toPicture } from '#web/catalog/hero.ts'
import { AnimalPicture } from '#web/catalog/AnimalPicture.tsx'
import { doorstep } from '#web/catalog/doorstep.ts'
import { ACROSS_A_PHONE, Picture } from '#web/catalog/Picture.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PageHead } from '#web/ui/PageHead.tsx'
import { showcasePieces } from './decorative-pictures.ts'

/** The first beside the workshop's picture, the others with the type of the product that shows it: its seams and stitches, a single piece. */
const differences = () => [
  {
    title: say('We start with the animal'),
    text: say(
      'A collection begins with one pet, its habits and the people who already love it. If nobody would recognize the animal without its name, we draw again.',
    ),
  },
  {
    title: say('We use new tools and old standards'),
    text: say(
      'Software helps us sketch a hundred ideas in a morning. People throw out ninety-nine, then check the stitching, ink and seams of the last.',
    ),
    shown: { type: 'polo', view: 'detail' },
  },
  {
    title: say('We make nothing in advance'),
    text: say(
      'There is no stock. Your order starts the machine, so a size never sells out and a bad idea never fills a container.',
    ),
    shown: { type: 't-shirt', view: 'worn' },
  },
]

const mission = () => [
  { title: say('Honor the pet'), text: say('The pet is the star, shown as it is. Asleep, if need be.') },
  {
    title: say('Pay the people'),
    text: say('Creators whose audience buys here share in every sale, and can see it to the cent.'),
  },
  { title: say('Make it last'), text: say('A joke wears off. The hat it is on should not.') },
]

export function AboutPage() {
  const site = useSite()
  const terms = useShippingTerms()
  const honesty = {
    title: say('Charge what we say'),
    text:
      terms?.surcharges.length === 0
        ? say('You see price, shipping and tax before you pay. Nothing is added later.')
        : say('You see price, tax and any surcharge before you pay. Nothing is added later.'),
  }
  const [first] = useCollections()
  const { data: cards } = useQuery(collectionsQuery)
  const { data: view } = useQuery({ ...collectionQuery(first?.slug ?? ''), enabled: first !== undefined })
  const collections = cards?.collections ?? []
  const origins = collections.flatMap(({ petName, origin }) => (origin ? [`${petName} ${sayKnown(origin)}`] : []))
  return (
    <>
      <PageHead
        title={say('About Us')}
        description={say('{name} is an AI creative label that makes merchandise of famous pets, one piece at a time.', {
          name: site.name,
        })}
      />
      <header className="on-dark bg-charcoal pattern text-ivory">
        <div className="shell py-12 lg:py-16">
          <div className="grid items-end gap-x-10 gap-y-6 md:grid-cols-[1.5fr_1fr] lg:grid-cols-[2.2fr_1fr] lg:gap-x-16">
            <h1 className="max-w-[9.3em] text-display text-balance lg:max-w-[12em]">
              {say('A label for animals who are already famous')}
            </h1>
            <p className="max-w-[32.5em] text-lg text-ivory/85 md:pb-1 lg:pb-2">
              {view?.collection?.beginning ||
                (first
                  ? say('It began with one animal, {pet}. That became {name}.', { pet: first.petName, name: site.name })
                  : say('It began with one animal. That became {name}.', { name: site.name }))}
            </p>
          </div>
          <Animals collections={collections} />
        </div>
      </header>

      <section aria-labelledby="different" className="shell pt-12 sm:pt-20 lg:pt-28">
        <h2 id="different" className="text-headline">
          {say('What Makes Us Different?')}
        </h2>
        <Differences />
      </section>

      <CloseUps />

      <section aria-labelledby="mission" className="mt-12 border-y border-line bg-surface sm:mt-20">
        <div className="shell grid gap-x-16 gap-y-6 py-10 sm:gap-y-10 sm:py-16 lg:grid-cols-[1fr_1.6fr] lg:py-24">
          <h2 id="mission" className="text-headline">
            {say('Our Mission')}
          </h2>
          <ol className="grid gap-x-12 gap-y-5 sm:grid-cols-2 sm:gap-y-9">
            {[...mission(), honesty].map(({ title, text }) => (
              <li key={title}>
                <h3 className="text-[1.375rem]">{title}</h3>
                <p className="mt-1.5 max-w-[23.2em] text-ink-soft">{text}</p>
              </li>
            ))}
          </ol>
        </div>
      </section>

      <section
        aria-labelledby="soon"
        className="shell grid items-center gap-x-16 gap-y-7 pt-12 sm:gap-y-10 sm:pt-20 lg:grid-cols-2 lg:pt-28"
      >
        <div>
          <h2 id="soon" className="text-headline">
            {say('More Collections Coming Soon')}
          </h2>
          <p className="mt-5 max-w-[33.6em] text-lg text-ink-soft">
            {origins.length > 0 && `${say('{list}.', { list: formatList(origins) })} `}
            {say(
              'Popular pets and a series with creators are on the drawing board. If your animal is famous beyond your own sofa, we would like to meet it.',
            )}
          </p>
          <p className="mt-7 grid gap-3 sm:mt-10 sm:flex sm:flex-wrap">
            <Link to={paths.contact} className={buttonClass('primary')}>
              {say('Partner With Us')}
            </Link>
            <Link to={paths.products} className={buttonClass('outline')}>
              {say('See all products')}
            </Link>
          </p>
        </div>
        <AnimalPicture of={doorstep()} className="aspect-video max-lg:order-first" />
      </section>
    </>
  )
}

/** Each leads to its collection. On phones the first one is as wide as the page. */
const Animals = ({ collections }: { collections: readonly CollectionCard[] }) => (
  <ul className="mt-9 grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3 lg:mt-12 lg:gap-x-6">
    {collections.map(
      ({ id, displayName, hero, ...collection }, index) =>
        hero && (
          <li key={id} className="max-sm:first:col-span-2 max-sm:even:last:col-span-2">
            <Link to={pathOfCollection(collection)} className="group block">
              <Picture
                picture={toPicture(hero)}
                alt={hero.alt}
                sizes={`(min-width: 1312px) 25rem, (min-width: 640px) 30vw, ${index === 0 ? ACROSS_A_PHONE : '42vw'}`}
                first={index === 0}
                className="aspect-[16/10] w-full rounded-card object-cover"
              />
              <span className="mt-2.5 block font-display text-[1.125rem] leading-tight tracking-[-0.018em] underline-offset-4 group-hover:underline lg:text-[1.375rem]">
                {sayKnown(displayName)}
              </span>
            </Link>
          </li>
        ),
    )}
  </ul>
)

/** Of the first collection, close up and worn; what nobody wears is seen from its front. */
function useGoods() {
  const pieces = showcasePieces(useCollections())
  const enabled = pieces.length > 0
  const { data: detail = [] } = useQuery({ ...showcaseQuery(pieces, 'detail'), enabled })
  const { data: worn = [] } = useQuery({ ...showcaseQuery(pieces, 'worn'), enabled })
  return (type: string, view: string) =>
    [...detail, ...worn].find((product) => product.type === type && product.picture?.view === view)
}

function Differences() {
  const goodsOf = useGoods()
  return (
    <ul className="differences">
      {differences().map(({ title, text, shown }) => {
        const piece = shown && goodsOf(shown.type, shown.view)
        return (
          <li key={title}>
            {shown ? (
              piece && (
                <Picture
                  picture={piece.picture ?? undefined}
                  alt={pictureAlt(piece.name, piece.picture)}
                  sizes={`(min-width: 1024px) 36vw, (min-width: 768px) 46vw, ${ACROSS_A_PHONE}`}
                  className="w-full rounded-card object-cover"
                />
              )
            ) : (
              <Picture
                picture={toPicture(heroes.workshop)}
                alt={say(
                  'An embroidery hoop with a sleeping dog, half of it stitched, on a workbench with thread and scissors',
                )}
                sizes={`(min-width: 1312px) 42rem, (min-width: 1024px) 52vw, (min-width: 768px) 46vw, ${ACROSS_A_PHONE}`}
                className="w-full rounded-card object-cover"
              />
            )}
            <div>
              <h3 className="text-[1.375rem] leading-tight lg:text-[1.5rem]">{title}</h3>
              <p className="mt-2 max-w-[30em] text-ink-soft lg:mt-2.5">{text}</p>
            </div>
          </li>
        )
      })}
    </ul>
  )
}

const THIRD = '(min-width: 1312px) 28rem, (min-width: 640px) 33vw, 18.5rem'
const THIRD_CROPPED = '(min-width: 1312px) 44rem, (min-width: 640px) 52vw, 30rem'

/** `crop` shows the drawing whole, and as large as that lets it be. */
const crafts = () => ({
  hat: {
    view: 'detail',
    crop: 'origin-[33%_64%] [transform:scale(1.27)]',
    sizes: THIRD,
    title: say('Stitched'),
    text: say('On hats the drawing is thread, stitched through the panel. It cannot peel.'),
  },
  't-shirt': {
    view: 'detail',
    crop: '',
    sizes: THIRD,
    title: say('Printed'),
    text: say('On shirts the ink sits in the fibers. Stretch it, and the knit still shows.'),
  },
  mug: {
    view: 'front',
    crop: 'origin-[36%_56%] [transform:scale(1.45)]',
    sizes: THIRD_CROPPED,
    title: say('Pressed'),
    text: say('On mugs heat drives the colors into the coating, which is glossy all over.'),
  },
})

/** Goods close up, with how they are made; on a phone in a row that scrolls sideways. Absent where the shop has none of these types. */
function CloseUps() {
  const goodsOf = useGoods()
  const shown = Object.entries(crafts()).flatMap(([type, craft]) => {
    const piece = goodsOf(type, craft.view)
    return piece ? [{ ...craft, piece }] : []
  })
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="close" className="shell pt-12 sm:pt-20 lg:pt-28">
      <h2 id="close" className="text-headline">
        {say('Look closely')}
      </h2>
      <ul className="mt-6 grid gap-x-6 max-sm:-mx-(--gutter) max-sm:snap-x max-sm:scroll-px-(--gutter) max-sm:auto-cols-[17rem] max-sm:grid-flow-col max-sm:gap-x-4 max-sm:overflow-x-auto max-sm:px-(--gutter) max-sm:[scrollbar-width:none] sm:mt-8 sm:grid-cols-3 lg:mt-10">
        {shown.map(({ title, text, piece, crop, sizes }) => (
          <li key={title} className="grid snap-start content-start">
            <Link to={pathOfCard(piece)} className="group block overflow-hidden rounded-card plate">
              <Picture
                picture={piece.picture ?? undefined}
                alt={pictureAlt(piece.name, piece.picture)}
                sizes={sizes}
                className={classNames(
                  'aspect-square w-full object-cover transition-transform duration-700 ease-quiet group-hover:scale-[1.03]',
                  crop,
                )}
              />
            </Link>
            <div className="mt-4">
              <h3 className="text-[1.375rem] leading-tight">{title}</h3>
              <p className="mt-1.5 max-w-[26em] text-ink-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
