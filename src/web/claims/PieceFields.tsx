import type { ClaimLine } from '#contract/claims.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import type { ShopperReason } from '#domain/claims/claim.ts'
import { paths } from '#contract/paths.ts'
import { claimSentence } from '#domain/claims/claim-window.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { LinePicture } from '#web/checkout/LinePicture.tsx'
import { Select } from '#web/ui/Select.tsx'
import type { TypedFields } from '#web/ui/use-form.ts'

const fieldOf = (position: number): string => `quantity-${position}`

/** The chosen pieces of a form with `PieceFields`. */
export const piecesIn = (typed: TypedFields, lines: readonly ClaimLine[]) =>
  lines.flatMap(({ position }) => {
    const quantity = Number(typed[fieldOf(position)] ?? 0)
    return quantity > 0 ? [{ position, quantity }] : []
  })

export const firstPieceField = (lines: readonly ClaimLine[]): string =>
  fieldOf(lines.find(({ left }) => left > 0)?.position ?? 0)

type Props = { lines: readonly ClaimLine[]; legend: string; reason?: ShopperReason | undefined; chosen: 'none' | 'all' }

/** How many pieces of each line. @param reason shows what stands against it */
export const PieceFields = ({ lines, legend, reason, chosen }: Props) => (
  <fieldset>
    <legend className="font-display text-title">{legend}</legend>
    <ul className="mt-4 grid gap-4">
      {lines.map(({ position, productName, variantName, imageUrl, left, objections }) => {
        const objection = left === 0 ? objections.wrong : reason && objections[reason]
        return (
          <li key={position} className="flex gap-4 border-b border-line pb-4">
            <LinePicture src={imageUrl} />
            <div className="min-w-0 flex-1 leading-snug">
              <p className="font-semibold">{spokenName(productName)}</p>
              {variantName && <p className="text-[0.9375rem] text-ink-soft">{sayVariant(variantName)}</p>}
              {left > 0 && (
                <Select
                  className="mt-2 max-w-44"
                  label={say('How many')}
                  name={fieldOf(position)}
                  defaultValue={String(chosen === 'all' || lines.length + left === 2 ? left : 0)}
                  options={Array.from({ length: left + 1 }, (_, count) => ({
                    value: String(count),
                    label: count === 0 ? say('None') : String(count),
                  }))}
                />
              )}
              {objection && (
                <p className="mt-2 max-w-[40em] text-[0.9375rem] text-danger">
                  {claimSentence(objection)}{' '}
                  <Link to={paths.contact} className="link-line">
                    {say('Write to us')}
                  </Link>
                </p>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  </fieldset>
)
