import type { ReactNode } from 'react'

export const FormSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="grid min-w-0 gap-4">
    <legend className="mb-2 font-display text-[1.25rem] leading-tight tracking-[-0.018em] sm:mb-3">{title}</legend>
    {children}
  </fieldset>
)
