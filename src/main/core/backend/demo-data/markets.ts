/** A group of countries that buyers target together. */
export interface Market {
  /** As it stands in a campaign's name. */
  label: string;
  geo: readonly string[];
  languages: readonly string[];
  timezone: string;
  /** How much more or less a click costs here. */
  price: number;
}

/** Markets as a buyer with several regions has them. */
export const markets: readonly Market[] = [
  { label: 'DE', geo: ['DE'], languages: ['de'], timezone: 'Europe/Berlin', price: 1.4 },
  { label: 'DACH', geo: ['DE', 'AT', 'CH'], languages: ['de'], timezone: 'Europe/Berlin', price: 1.5 },
  { label: 'US', geo: ['US'], languages: ['en', 'es'], timezone: 'America/New_York', price: 1.8 },
  { label: 'UK', geo: ['GB'], languages: ['en'], timezone: 'Europe/London', price: 1.5 },
  { label: 'FR', geo: ['FR'], languages: ['fr'], timezone: 'Europe/Paris', price: 1.2 },
  { label: 'IT', geo: ['IT'], languages: ['it'], timezone: 'Europe/Rome', price: 1 },
  { label: 'ES', geo: ['ES'], languages: ['es'], timezone: 'Europe/Madrid', price: 0.9 },
  {
    label: 'Nordics',
    geo: ['SE', 'NO', 'DK', 'FI'],
    languages: ['sv', 'no', 'da', 'fi'],
    timezone: 'Europe/Stockholm',
    price: 1.6,
  },
  { label: 'PL', geo: ['PL'], languages: ['pl'], timezone: 'Europe/Warsaw', price: 0.7 },
  { label: 'BR', geo: ['BR'], languages: ['pt'], timezone: 'America/Sao_Paulo', price: 0.5 },
  { label: 'MX', geo: ['MX'], languages: ['es'], timezone: 'America/Mexico_City', price: 0.5 },
  {
    label: 'LATAM',
    geo: ['MX', 'CO', 'CL', 'PE', 'AR'],
    languages: ['es'],
    timezone: 'America/Bogota',
    price: 0.45,
  },
  { label: 'IN', geo: ['IN'], languages: ['en', 'hi'], timezone: 'Asia/Kolkata', price: 0.3 },
  { label: 'ID', geo: ['ID'], languages: ['id'], timezone: 'Asia/Jakarta', price: 0.35 },
  { label: 'JP', geo: ['JP'], languages: ['ja'], timezone: 'Asia/Tokyo', price: 1.3 },
  { label: 'AU+NZ', geo: ['AU', 'NZ'], languages: ['en'], timezone: 'Australia/Sydney', price: 1.5 },
  { label: 'CA', geo: ['CA'], languages: ['en', 'fr'], timezone: 'America/Toronto', price: 1.5 },
  { label: 'WW', geo: [], languages: [], timezone: 'UTC', price: 0.8 },
];
