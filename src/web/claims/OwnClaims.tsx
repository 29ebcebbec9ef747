import { useState } from 'react'
import type { OwnClaim } from '#contract/claims.ts'
import type { OrderKey } from '#contract/orders.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import { CLAIM_WORDS_MAX, reasonNames } from '#domain/claims/claim.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { formatUsd } from '#shared/money.ts'
import { say, sayKnown } from '#words/say.ts'
import { useApi } from '#web/api/use-api.ts'
import { longDay } from '#web/orders/order-labels.ts'
import type { Photo } from '#web/orders/PhotoField.tsx'
import { PhotoList } from '#web/orders/PhotoList.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { TextArea } from '#web/ui/TextArea.tsx'
import { photoAddress } from './claim-queries.ts'
import { ClaimPhotos } from './ClaimPhotos.tsx'
import { WithoutScript } from './WithoutScript.tsx'

function stateOf({ kind, state, outcome, amount }: OwnClaim): string {
  if (state === 'open')
    return say(kind === 'claim' ? 'We’re looking into it' : 'Received; we’ll email you the next step')
  if (state === 'asked') return say('We have a question for you')
  switch (outcome) {
    case 'refunded':
      return amount === null ? say('Refunded') : say('Refunded {amount}', { amount: formatUsd(amount) })
    case 'replaced':
      return say('You get a replacement')
    case 'canceled':
      return say('Order canceled and refunded')
    case 'settled':
      return say('Settled; we wrote you how')
    case 'refused':
    case null:
      return say('We couldn’t grant it')
  }
}

type Props = { claims: readonly OwnClaim[]; orderKey: OrderKey; onSent: (sentence: string) => Promise<unknown> }

/** What the shopper has reported or taken back, newest first. */
export const OwnClaims = ({ claims, orderKey, onSent }: Props) => (
  <section aria-labelledby="requests" className="mt-8">
    <h2 id="requests" className="text-title">
      {say(claims.length === 1 ? 'Your request' : 'Your requests')}
    </h2>
    <ul className="mt-4 grid gap-5">
      {claims.map((claim) => (
        <li key={claim.id} className="rounded-card border border-line bg-surface p-5 shadow-card sm:p-6">
          <h3 className="text-[1.25rem] leading-tight">
            {say(claim.reason ? reasonNames[claim.reason] : 'Withdrawal')}, {longDay(claim.openedAt)}
          </h3>
          <p role="status" className="mt-1 font-medium">
            {stateOf(claim)}
          </p>
          <ul className="mt-3 text-[0.9375rem]">
            {claim.items.map(({ productName, variantName, quantity }) => (
              <li key={`${productName} ${variantName}`}>
                {quantity} × {spokenName(productName)}
                {variantName && <span className="text-ink-soft">, {sayVariant(variantName)}</span>}
              </li>
            ))}
          </ul>
          <ul className="mt-4 grid gap-3">
            {claim.messages.map(({ author, words, at }) => (
              <li
                key={`${author} ${at}`}
                className={classNames('border-l-2 pl-4', author === 'owner' ? 'border-accent' : 'border-line')}
              >
                <p className="text-sm text-ink-soft">{say(author === 'owner' ? 'We wrote' : 'You wrote')}</p>
                <p className="max-w-[44em] whitespace-pre-line wrap-anywhere">{words}</p>
              </li>
            ))}
          </ul>
          <PhotoList
            what={say('What you sent')}
            addresses={claim.photos.map((photo) => photoAddress(photo, orderKey))}
          />
          {claim.state !== 'resolved' && <Answer claim={claim} orderKey={orderKey} onSent={onSent} />}
        </li>
      ))}
    </ul>
  </section>
)

function Answer({ claim: { id, state }, orderKey, onSent }: { claim: OwnClaim } & Omit<Props, 'claims'>) {
  const api = useApi()
  const [photos, setPhotos] = useState<readonly Photo[]>([])
  return (
    <details open={state === 'asked'} className="mt-4 border-t border-line pt-3">
      <summary className="cursor-pointer py-2 font-semibold">
        {say(state === 'asked' ? 'Answer' : 'Add words or photos')}
      </summary>
      <WithoutScript orderKey={orderKey} />
      <ApiForm
        clears
        aria-label={say('Answer')}
        className="mt-2 grid gap-5 noscript:hidden"
        send={async ({ words = '' }) => {
          const body = { ...orderKey, words, photos: photos.map(({ file }) => file) }
          const { done } = await api('POST /api/order/claims/:id/answer', { params: { id }, body })
          setPhotos([])
          await onSent(sayKnown(done))
        }}
      >
        <TextArea label={say('Your answer')} name="words" rows={3} maxLength={CLAIM_WORDS_MAX} />
        <ClaimPhotos orderKey={orderKey} photos={photos} onPhotos={setPhotos} />
        <FormNotice title={say('Not sent. Nothing you entered is lost.')} />
        <div>
          <SubmitButton busyText={say('Sending...')}>{say('Send')}</SubmitButton>
        </div>
      </ApiForm>
    </details>
  )
}
