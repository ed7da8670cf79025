// Created on first use: it takes 25 ms of CPU time per process, which would delay the start.
let names: Intl.DisplayNames | null = null;

/** Returns the English name of a two-letter country code. Null for an unknown code; `ZZ` stands for “unknown” itself. */
export function countryName(code: string): string | null {
  if (!/^(?!ZZ)[A-Z]{2}$/i.test(code)) return null;
  names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return names.of(code.toUpperCase()) ?? null;
}

export interface CountryGroup {
  name: string;
  members: readonly string[];
}

const codes = (text: string): readonly string[] => text.trim().split(/\s+/u);

const continents: readonly CountryGroup[] = [
  {
    name: 'Europe',
    members:
      codes(`AD AL AT AX BA BE BG BY CH CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC
      MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA`),
  },
  {
    name: 'Africa',
    members:
      codes(`AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW IO KE KM LR LS LY MA MG ML MR
      MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TF TG TN TZ UG YT ZA ZM ZW`),
  },
  {
    name: 'Asia',
    members:
      codes(`AE AF AM AZ BD BH BN BT CN CY GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY
      NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE`),
  },
  {
    name: 'Americas',
    members:
      codes(`AG AI AR AW BB BL BM BO BQ BR BS BV BZ CA CL CO CR CU CW DM DO EC FK GD GF GL GP GS GT GY HN HT JM
      KN KY LC MF MQ MS MX NI PA PE PM PR PY SR SV SX TC TT US UY VC VE VG VI`),
  },
  {
    name: 'Oceania',
    members: codes('AS AU CC CK CX FJ FM GU HM KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS'),
  },
  { name: 'Antarctica', members: ['AQ'] },
];

export const countryGroups: readonly CountryGroup[] = [
  ...continents.filter(({ members }) => members.length > 1),
  {
    name: 'European Union',
    members: codes('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'),
  },
  { name: 'DACH', members: ['DE', 'AT', 'CH'] },
  { name: 'Benelux', members: ['BE', 'NL', 'LU'] },
  { name: 'Nordics', members: ['DK', 'FI', 'IS', 'NO', 'SE'] },
  { name: 'Baltics', members: ['EE', 'LV', 'LT'] },
  { name: 'Central and Eastern Europe', members: codes('BG CZ EE HR HU LT LV PL RO RS SI SK') },
  { name: 'UK and Ireland', members: ['GB', 'IE'] },
  { name: 'North America', members: ['CA', 'US'] },
  {
    name: 'Latin America',
    members: codes('AR BO BR CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV UY VE'),
  },
  { name: 'Gulf states', members: ['AE', 'BH', 'KW', 'OM', 'QA', 'SA'] },
  { name: 'Middle East', members: codes('AE BH EG IL IQ IR JO KW LB OM PS QA SA SY TR YE') },
  { name: 'North Africa', members: ['DZ', 'EG', 'LY', 'MA', 'SD', 'TN'] },
  { name: 'South Asia', members: ['BD', 'BT', 'IN', 'LK', 'MV', 'NP', 'PK'] },
  {
    name: 'South-East Asia',
    members: codes('BN ID KH LA MM MY PH SG TH TL VN'),
  },
  { name: 'East Asia', members: ['CN', 'HK', 'JP', 'KR', 'MO', 'TW'] },
  { name: 'Central Asia', members: ['KG', 'KZ', 'TJ', 'TM', 'UZ'] },
  { name: 'Australia and New Zealand', members: ['AU', 'NZ'] },
];

export interface Country {
  code: string;
  name: string;
}

let listed: readonly Country[] | null = null;

export function countries(): readonly Country[] {
  listed ??= continents
    .flatMap(({ members }) => members)
    .map((code) => ({ code, name: countryName(code) ?? code }))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  return listed;
}

let codesByName: ReadonlyMap<string, string> | null = null;

export function parseCountryCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  if (continents.some(({ members }) => members.includes(code))) return code;
  codesByName ??= new Map(countries().map(({ code: known, name }) => [plain(name), known]));
  return codesByName.get(plain(text)) ?? otherNames[plain(text)] ?? null;
}

function plain(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z]+/gu, '');
}

const otherNames: Readonly<Record<string, string>> = {
  uk: 'GB',
  usa: 'US',
  unitedstatesofamerica: 'US',
  czechrepublic: 'CZ',
  turkey: 'TR',
  southkorea: 'KR',
  russianfederation: 'RU',
  vietnam: 'VN',
  holland: 'NL',
  uae: 'AE',
};
