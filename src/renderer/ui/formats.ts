import { createContext, useContext } from 'react';
import { type Formats, usualFormats } from '#shared/lib/formats.ts';

const FormatsContext = createContext<Formats>(usualFormats);

/** Gives the formats of numbers and moments to everything inside it. */
export const FormatsProvider = FormatsContext.Provider;

/** The formats of numbers and moments in this window. */
export function useFormats(): Formats {
  return useContext(FormatsContext);
}
