/** Inputs, selects and text areas. */
export const inputClass =
  'w-full min-h-12 rounded-card border border-ink/45 bg-surface px-3.5 py-2.5 text-base text-ink placeholder:text-ink-soft/80 transition-colors hover:border-ink aria-invalid:border-danger aria-invalid:ring-1 aria-invalid:ring-danger'
