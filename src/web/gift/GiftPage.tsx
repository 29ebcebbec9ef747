import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { GiftView } from '#contract/orders.ts'
import { paths } from '#contract/paths.ts'
import { Link } from '#web/app/Link.tsx'
import { Milestones } from '#web/orders/Milestones.tsx'
import { GoodsList, ParcelCard } from '#web/orders/ParcelCard.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { DateRange } from '#web/ui/DateRange.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { say } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { giftQuery } from './gift-loader.ts'

/** `/order-confirmation/gift`: where a gift is, for its recipient. Works without JavaScript. */
export function GiftPage() {
  const [parameters] = useSearchParams()
  const { data: gift } = useQuery(giftQuery(parameters.get('token') ?? ''))
  return (
    <div className="shell shell-[60rem] pt-10 pb-12 sm:pt-14">
      <PageHead title={say('A gift for you')} />
      {gift ? (
        <Gift gift={gift} />
      ) : (
        <div className="grid justify-items-start gap-5">
          <h1 className="text-headline">{say('This page shows no gift.')}</h1>
          <p className="text-lg text-ink-soft">
            {say(
              'The address is not complete, or the gift is no longer here. Please ask the person who sent it to you.',
            )}
          </p>
          <Link to={paths.contact} className={buttonClass('outline')}>
            {say('Contact us')}
          </Link>
        </div>
      )}
    </div>
  )
}

function Gift({ gift }: { gift: GiftView }) {
  const { fulfillment, milestones, expected, parcels, stillToCome, goods, note } = gift
  const { title, next } = messages[fulfillment] ?? beingMade
  return (
    <>
      <h1 className="max-w-[18em] text-headline">{say(title)}</h1>
      <p className="mt-4 max-w-[44em] text-lg text-ink-soft">{say(next)}</p>
      {expected && (
        <p className="mt-5 text-lg font-semibold">
          <span className="font-normal text-ink-soft">{say('Expected')}</span> <DateRange dates={expected} />
        </p>
      )}
      {note && (
        <figure className="mt-8 max-w-[44em] rounded-card border border-line bg-surface p-5 shadow-card sm:p-6">
          <figcaption className="text-ink-soft">{note.heading}</figcaption>
          <blockquote className="mt-2 font-display text-[1.375rem] leading-snug [overflow-wrap:anywhere]">
            {note.message}
          </blockquote>
        </figure>
      )}
      <div className="mt-10">
        <Milestones milestones={milestones} isPaid={false} />
      </div>
      {parcels.length > 0 && (
        <ul aria-label={say('Parcels')} className="mt-8 grid gap-5">
          {parcels.map((parcel) => (
            <ParcelCard key={`${parcel.name} ${parcel.shippedAt}`} parcel={parcel} />
          ))}
        </ul>
      )}
      {(parcels.length === 0 || stillToCome.length > 0) && (
        <section aria-labelledby="goods" className="mt-10">
          <h2 id="goods" className="text-title">
            {parcels.length === 0 ? say('What is in it') : say('Still to come')}
          </h2>
          <GoodsList goods={parcels.length === 0 ? goods : stillToCome} />
        </section>
      )}
    </>
  )
}

type Message = { title: Word; next: Word }

const beingMade = {
  title: 'Somebody has a gift made for you.',
  next: 'Every piece is made one by one. This page shows where it is.',
} as const satisfies Record<keyof Message, Word>

/** Keyed by fulfillment status. */
const messages: Readonly<Record<string, Message>> = {
  partially_shipped: { title: 'Part of your gift is on its way.', next: 'The rest ships separately.' },
  shipped: { title: 'Your gift is on its way.', next: 'Track it with the carrier below.' },
  delivered: { title: 'Your gift has arrived.', next: 'Wrong, faulty or damaged? Please tell the person who sent it.' },
  returned: {
    title: 'Your gift could not be delivered.',
    next: 'The person who sent it can tell us where it should go.',
  },
  cancelled: { title: 'This gift was canceled.', next: 'Please ask the person who sent it.' },
} satisfies Record<string, Record<keyof Message, Word>>
