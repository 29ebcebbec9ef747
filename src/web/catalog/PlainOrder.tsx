import { useSearchParams } from 'react-router'
import type { Product, Specs } from '#contract/catalog.ts'
import { paths } from '#contract/paths.ts'
import { firstVariant } from '#domain/catalog/options.ts'
import { variantNameOf } from '#domain/catalog/variant-name.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { formatUsd } from '#shared/money.ts'
import { spokenAddress } from '#shared/language.ts'
import { say, sayKnown } from '#words/say.ts'
import { formMessageIn } from '#web/cart/form-messages.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { inputClass } from '#web/ui/input-class.ts'
import type { Variant } from './use-variants.ts'

type Props = {
  product: Product
  specs: Specs
  variants: readonly Variant[]
  chosen: Variant | undefined
  quantityMax: number
}

/**
 * Options and order in one plain form, for browsers without JavaScript. It lists all variants, because the option buttons need
 * JavaScript to combine color and size.
 */
export function PlainOrder({ product, specs, variants, chosen, quantityMax }: Props) {
  const [parameters] = useSearchParams()
  const message = formMessageIn(parameters)
  const preset = chosen?.available ? chosen : firstVariant(variants)
  return (
    <form method="post" action={spokenAddress(paths.product(product.id))} className="grid gap-4">
      {message && <p className="rounded-card bg-danger-soft p-4 font-medium text-danger">{message.text}</p>}
      {variants.length > 1 && (
        <label className="grid gap-1.5 text-[0.9375rem] font-medium">
          {say('{color} and {size}', {
            color: sayKnown(specs.colorLabel),
            size: sayKnown(specs.sizeLabel.toLowerCase()),
          })}
          <select name="variant" defaultValue={preset?.id} className={inputClass}>
            {variants.map((variant) => (
              <option key={variant.id} value={variant.id} disabled={!variant.available}>
                {optionLabel(variant)}
              </option>
            ))}
          </select>
        </label>
      )}
      <div className="flex items-end gap-3">
        <label className="grid gap-1.5 text-[0.9375rem] font-medium">
          {say('Quantity')}
          <input
            type="number"
            name="quantity"
            min="1"
            max={quantityMax}
            defaultValue="1"
            required
            className={`${inputClass} w-24! text-center`}
          />
        </label>
        <button type="submit" disabled={!product.available} className={buttonClass('primary', 'flex-1')}>
          {product.available ? say('Add to Cart') : say('Sold out')}
        </button>
      </div>
    </form>
  )
}

const optionLabel = ({ color, size, unitPrice, available }: Variant): string =>
  [
    sayVariant(variantNameOf(color, size) ?? 'Default'),
    unitPrice !== undefined && formatUsd(unitPrice),
    !available && say('Sold out'),
  ]
    .filter(Boolean)
    .join(', ')
