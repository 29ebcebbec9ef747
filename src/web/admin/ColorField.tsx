import type { HexColor } from '#domain/catalog/collection-theme.ts'
import { isHexColor } from '#domain/catalog/contrast.ts'
import { FieldFrame } from '#web/ui/Field.tsx'
import { inputClass } from '#web/ui/input-class.ts'

type Props = {
  name: string
  label: string
  value: HexColor
  /** Shown while typing: whether texts can be read depends on several colors. */
  error?: string | undefined
  onValue: (color: HexColor) => void
}

/** A color as `#rrggbb`, typed or picked. What is typed may be no color yet. */
export const ColorField = ({ name, label, value, error, onValue }: Props) => (
  <FieldFrame name={name} label={label} error={error}>
    {(attributes) => (
      <span className="flex gap-2">
        <input
          {...attributes}
          name={name}
          value={value}
          maxLength={7}
          autoComplete="off"
          spellCheck={false}
          className={inputClass}
          onChange={(event) => onValue(event.currentTarget.value.trim().toLowerCase() as HexColor)}
        />
        <input
          type="color"
          aria-label={`Pick ${label}`}
          value={isHexColor(value) ? value : '#000000'}
          className="h-12 w-14 shrink-0 cursor-pointer rounded-card border border-ink/45 bg-surface p-1"
          onChange={(event) => onValue(event.currentTarget.value as HexColor)}
        />
      </span>
    )}
  </FieldFrame>
)
