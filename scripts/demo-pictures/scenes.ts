export interface Scene {
  brand: string;
  variants: readonly [Variant, Variant];
  action: string;
  draw(colours: Colours): string;
}

interface Variant {
  headline: string;
  colours: Colours;
}

export interface Colours {
  from: string;
  to: string;
  ink: string;
  accent: string;
  soft: string;
}

const colours = (from: string, to: string, ink: string, accent: string, soft: string): Colours => ({
  from,
  to,
  ink,
  accent,
  soft,
});

const white = '#ffffff';
const night = '#10172b';

function around(
  count: number,
  draw: (at: { x: number; y: number; degrees: number }) => string,
  radius: number,
): string {
  return Array.from({ length: count }, (_, index) => {
    const degrees = (index * 360) / count;
    const angle = ((degrees - 90) * Math.PI) / 180;
    return draw({ x: 100 + radius * Math.cos(angle), y: 100 + radius * Math.sin(angle), degrees });
  }).join('');
}

function grid(
  { columns, rows, size, gap }: { columns: number; rows: number; size: number; gap: number },
  cell: (at: { x: number; y: number; index: number }) => string,
): string {
  return Array.from({ length: columns * rows }, (_, index) =>
    cell({ x: (index % columns) * (size + gap), y: Math.floor(index / columns) * (size + gap), index }),
  ).join('');
}

const waves = (count: number): string => `q16-12 33 0${'t34 0'.repeat(count - 1)}`;

function board(colour: string): string {
  const edges = [150, 164, 186, 220, 270];
  const xAt = (column: number, y: number): number => 100 + column * 26 * ((y - 110) / 40);
  return edges
    .slice(0, -1)
    .flatMap((top, row) => {
      const bottom = edges[row + 1] ?? top;
      return Array.from({ length: 20 }, (_, at) => at * 2 - 20 + (row % 2)).map((column) => {
        const corner = (x: number, y: number): string => `${Math.round(xAt(x, y))} ${y}`;
        return `<path d="M${corner(column, top)}L${corner(column + 1, top)} ${corner(column + 1, bottom)} ${corner(column, bottom)}z" fill="${colour}" opacity=".55"/>`;
      });
    })
    .join('');
}

export const scenes: readonly Scene[] = [
  {
    brand: 'Kestrel VPN',
    action: 'Try 30 days free',
    variants: [
      {
        headline: 'Public Wi-Fi?\nGo private.',
        colours: colours('#131a4a', '#3b2fa3', white, '#5eead4', '#6f78e8'),
      },
      {
        headline: 'Your VPN\nis 70% off',
        colours: colours('#06424a', '#0f8f83', white, '#fde047', '#4cc3b5'),
      },
    ],
    draw: ({ accent, soft, from }) => `
      ${[92, 74, 56].map((radius, at) => `<circle cx="100" cy="100" r="${radius}" fill="none" stroke="${soft}" stroke-width="5" stroke-dasharray="${radius * 1.3} ${radius * 1.84}" stroke-dashoffset="${radius * 0.4}" opacity="${0.35 + at * 0.2}"/>`).join('')}
      <path d="M100 32 152 50v44c0 38-22 62-52 76-30-14-52-38-52-76V50z" fill="${accent}"/>
      <path d="M100 32 152 50v44c0 38-22 62-52 76z" fill="${from}" opacity=".14"/>
      <path d="M66 84c26-4 46-14 62-30-2 15-7 26-15 34l17-3c-5 13-13 22-25 27l9 2c-8 11-19 18-33 21 3-9 3-16 0-22-4-10-9-20-15-29z" fill="${from}"/>`,
  },
  {
    brand: 'Lumo Cleaner',
    action: 'Scan now',
    variants: [
      {
        headline: 'Free up 4 GB\ntoday',
        colours: colours('#fff3d6', '#ffc86b', '#3a2300', '#f97316', '#ffe3ad'),
      },
      {
        headline: 'Phone\nfeeling slow?',
        colours: colours('#dff7ff', '#8fd6f5', '#06283d', '#0ea5e9', '#c6ecfb'),
      },
    ],
    draw: ({ accent, soft, ink }) => `
      <rect x="52" y="8" width="96" height="184" rx="20" fill="${ink}"/>
      <rect x="59" y="15" width="82" height="170" rx="14" fill="${white}"/>
      <circle cx="100" cy="84" r="29" fill="none" stroke="${soft}" stroke-width="12"/>
      <path d="M100 55a29 29 0 1 1-27 40" fill="none" stroke="${accent}" stroke-width="12" stroke-linecap="round"/>
      <rect x="71" y="130" width="58" height="8" rx="4" fill="${soft}"/><rect x="71" y="130" width="20" height="8" rx="4" fill="${accent}"/>
      <rect x="71" y="146" width="58" height="8" rx="4" fill="${soft}"/><rect x="71" y="146" width="38" height="8" rx="4" fill="${accent}"/>
      ${[
        [160, 36, 13],
        [176, 70, 8],
        [34, 132, 11],
      ]
        .map(
          ([x = 0, y = 0, r = 0]) =>
            `<path d="M${x} ${y - r * 1.5}q${r * 0.25} ${r * 1.25} ${r * 1.5} ${r * 1.5}q${-r * 1.25} ${r * 0.25} ${-r * 1.5} ${r * 1.5}q${-r * 0.25} ${-r * 1.25} ${-r * 1.5} ${-r * 1.5}q${r * 1.25} ${-r * 0.25} ${r * 1.5} ${-r * 1.5}z" fill="${accent}"/>`,
        )
        .join('')}`,
  },
  {
    brand: 'Harbor Bank',
    action: 'Open an account',
    variants: [
      {
        headline: '3.4% on\nyour savings',
        colours: colours('#0b2545', '#1d4f8c', white, '#ffd166', '#2f6db5'),
      },
      {
        headline: 'A card\nwithout fees',
        colours: colours('#f4efe6', '#d9e6ee', '#0b2545', '#ef6f4d', '#b9d2e0'),
      },
    ],
    draw: ({ accent, soft, ink }) => `
      <path d="M100 54-300-60v190z" fill="${accent}" opacity=".34"/><path d="M100 54 500-60v190z" fill="${accent}" opacity=".2"/>
      <path d="M84 72h32l12 92H72z" fill="${ink}"/>
      <path d="M81.300 93h37.400l2.900 22H78.400zM75.600 137h48.800l2.900 22H72.700z" fill="${accent}"/>
      <rect x="78" y="64" width="44" height="9" rx="3" fill="${accent}"/><rect x="86" y="42" width="28" height="22" fill="${ink}"/>
      <rect x="93" y="46" width="14" height="18" rx="7" fill="${accent}"/><path d="M80 42 100 24l20 18z" fill="${accent}"/>
      <path d="M-266 164${waves(24)}v200h-800z" fill="${soft}"/>
      <path d="M-250 182${waves(24)}v200h-800z" fill="${ink}" opacity=".25"/>`,
  },
  {
    brand: 'Vitalis Greens',
    action: 'Half price today',
    variants: [
      {
        headline: 'Greens in\n20 seconds',
        colours: colours('#f3fbe6', '#c5e99b', '#173b12', '#4d9e2d', '#dff2c8'),
      },
      {
        headline: 'Breakfast,\nsorted.',
        colours: colours('#1b4d2b', '#3f8f46', white, '#d9f26a', '#63ad5f'),
      },
    ],
    draw: ({ accent, soft, ink }) => `
      <ellipse cx="100" cy="184" rx="62" ry="8" fill="${ink}" opacity=".16"/>
      <path d="M56 44h88l-11 132a10 10 0 0 1-10 9H77a10 10 0 0 1-10-9z" fill="${white}" opacity=".65"/>
      <path d="M61 84q20-10 39 0t39 0l-8 90a6 6 0 0 1-6 6H75a6 6 0 0 1-6-6z" fill="${accent}"/>
      <path d="M61 84q20-10 39 0t39 0l-1 10q-19 9-38 0t-38 0z" fill="${soft}" opacity=".65"/>
      ${[
        [84, 118, 6],
        [112, 134, 8],
        [94, 156, 5],
        [120, 106, 4],
      ]
        .map(
          ([x = 0, y = 0, r = 0]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${white}" opacity=".35"/>`,
        )
        .join('')}
      <path d="M100 74C98 44 116 20 152 14c2 34-16 58-52 60z" fill="${accent}"/><path d="M100 74c14-22 28-38 44-50" stroke="${white}" stroke-width="3" fill="none"/>
      <path d="M98 76C92 54 74 40 46 42c2 26 22 40 52 34z" fill="${accent}" opacity=".8"/><path d="M98 76C84 64 70 54 56 48" stroke="${white}" stroke-width="3" fill="none"/>`,
  },
  {
    brand: 'Sweepway',
    action: 'Join the draw',
    variants: [
      {
        headline: 'Win a year\nof coffee',
        colours: colours('#6d1b7b', '#d6337a', white, '#ffd84d', '#8f2f9a'),
      },
      {
        headline: 'Today:\n50 gift cards',
        colours: colours('#ff7a45', '#ffb03a', '#3d0f2e', '#ffffff', '#ff9a5c'),
      },
    ],
    draw: ({ accent, soft, ink, from }) => `
      ${around(14, ({ x, y, degrees }) => `<rect x="${x - 4}" y="${y * 0.72 - 12}" width="9" height="${degrees % 3 === 0 ? 9 : 16}" rx="2" fill="${degrees % 50 > 24 ? accent : soft}" transform="rotate(${degrees * 2.3} ${x} ${y * 0.72 - 10})"/>`, 86)}
      <path d="M48 88h92v48a40 40 0 0 1-40 40H88a40 40 0 0 1-40-40z" fill="${white}"/>
      <path d="M140 98h10a21 21 0 0 1 0 42h-12v-13h12a8 8 0 0 0 0-16h-10z" fill="${white}"/>
      <rect x="34" y="180" width="120" height="9" rx="4.500" fill="${white}"/>
      <path d="m94 106 8.200 16.600 18.300 2.600-13.200 12.900 3.100 18.200L94 147.700l-16.400 8.600 3.100-18.200-13.200-12.900 18.300-2.600z" fill="${from}"/>
      <path d="M76 76q-10-14 0-26t0-24M102 76q-10-14 0-26t0-24" fill="none" stroke="${ink}" stroke-width="6" stroke-linecap="round" opacity=".55"/>`,
  },
  {
    brand: 'Tidewater Travel',
    action: 'See flights',
    variants: [
      {
        headline: 'Lisbon\nfrom €49',
        colours: colours('#ff9a62', '#ff5f7a', white, '#ffe29a', '#c93d6b'),
      },
      {
        headline: 'Your weekend\nby the sea',
        colours: colours('#bff0ff', '#4fb6e3', '#05314a', '#ffd24d', '#1b7fb5'),
      },
    ],
    draw: ({ accent, soft }) => `
      <circle cx="112" cy="104" r="62" fill="${accent}"/>
      <path d="M-400 138h1000v262H-400z" fill="${soft}"/>
      ${[148, 160, 172, 184].map((y, at) => `<rect x="${62 + at * 9}" y="${y}" width="${104 - at * 20}" height="4" rx="2" fill="${accent}" opacity="${0.8 - at * 0.15}"/>`).join('')}
      <path d="M84 52v78H38c22-18 37-44 46-78z" fill="${white}"/><path d="M90 70c18 16 28 36 32 60H90z" fill="${white}" opacity=".8"/>
      <path d="M30 136h106l-14 20H46z" fill="${night}" opacity=".8"/>
      <path d="M6 62q50-46 124-38" fill="none" stroke="${white}" stroke-width="4" stroke-dasharray="3 9" stroke-linecap="round"/>
      <path d="m126 12 30 9c5 1.500 8 5 7 8s-5 4-10 3l-14-3-16 14-6-1 9-17-13-4-8 5-4-1 7-11-5-12 4 1 7 7 14 3-1-17 5 1z" fill="${white}"/>`,
  },
  {
    brand: 'Rook & Raven',
    action: 'Play offline',
    variants: [
      {
        headline: 'Can you solve\nlevel 12?',
        colours: colours('#1a1033', '#4b2a7b', white, '#f5b841', '#6d48a8'),
      },
      {
        headline: 'New season\nis live',
        colours: colours('#3a0d16', '#9b2335', white, '#ffd7a1', '#bf4457'),
      },
    ],
    draw: ({ accent, soft, from }) => `
      <circle cx="126" cy="74" r="58" fill="${accent}"/>
      <path d="M150 40c10 2 18 0 26-6-2 12-9 20-20 23 4 4 9 5 15 4-7 9-17 11-28 7-9 1-16-2-20-9 8 1 13-1 16-6 2-6 5-10 11-13z" fill="${from}"/>
      <path d="M-400 150h1000v250H-400z" fill="${soft}"/>
      ${board(from)}
      <path d="M44 60h16v12h14V60h16v12h14V60h16v34l-14 12v44l16 16v16H42v-16l16-16v-44L44 94z" fill="${white}"/>
      <path d="M82 60v122h40v-16l-16-16v-44l14-12V60h-16v12H90V60z" fill="${from}" opacity=".16"/>
      <path d="M74 150v-18a8 8 0 0 1 16 0v18z" fill="${from}"/>`,
  },
  {
    brand: 'Solstice Energy',
    action: 'Check your roof',
    variants: [
      {
        headline: 'Solar on\nyour roof?',
        colours: colours('#e7f6ff', '#a9dcf7', '#0d2b45', '#ffb703', '#1f5f99'),
      },
      {
        headline: 'Cut your\npower bill',
        colours: colours('#0d2b45', '#1c5a80', white, '#ffc83d', '#2f86bd'),
      },
    ],
    draw: ({ accent, soft }) => `
      <circle cx="146" cy="46" r="25" fill="${accent}"/>
      <g transform="translate(96 -4) scale(.5)">${around(12, ({ x, y, degrees }) => `<rect x="${x - 5}" y="${y - 11}" width="10" height="22" rx="5" fill="${accent}" transform="rotate(${degrees} ${x} ${y})"/>`, 78)}</g>
      <path d="M34 122v66h132v-66l-66-30z" fill="${white}"/>
      <path d="M34 122v66h132v-66" fill="none" stroke="${night}" stroke-width="5"/>
      <rect x="118" y="146" width="26" height="42" fill="${night}" opacity=".85"/><rect x="56" y="146" width="40" height="26" fill="${accent}" opacity=".6"/>
      <g transform="matrix(1 0 -.42 .82 45 62)"><rect x="-8" y="-8" width="156" height="88" fill="${night}"/>
      ${grid({ columns: 5, rows: 3, size: 25, gap: 3 }, ({ x, y, index }) => `<rect x="${x}" y="${y}" width="25" height="22" fill="${soft}" opacity="${index % 2 === 0 ? 1 : 0.8}"/><path d="M${x} ${y + 22}l25-22v22z" fill="${white}" opacity=".14"/>`)}</g>`,
  },
  {
    brand: 'Paperlane',
    action: 'Start a book',
    variants: [
      {
        headline: 'Photo books\nfrom $9',
        colours: colours('#fbeee6', '#f6cdb8', '#4a1f1a', '#e4572e', '#f2b49b'),
      },
      {
        headline: 'Print your\nsummer',
        colours: colours('#e4574a', '#f28a5b', white, '#fff1c9', '#c43d45'),
      },
    ],
    draw: ({ accent, soft, ink }) => {
      const print = (turn: number, x: number, y: number, inner: string): string =>
        `<g transform="translate(${x} ${y}) rotate(${turn})"><rect x="-44" y="-50" width="92" height="106" rx="3" fill="${ink}" opacity=".16" transform="translate(4 5)"/><rect x="-46" y="-52" width="92" height="106" rx="3" fill="${white}"/><g transform="translate(-37 -43)">${inner}</g></g>`;
      const sky = `<rect width="74" height="72" fill="#8fd3ee"/>`;
      return `
      ${print(-16, 66, 82, `<rect width="74" height="72" fill="${soft}"/><circle cx="37" cy="30" r="15" fill="${accent}"/><path d="M8 72c2-20 14-26 29-26s27 6 29 26z" fill="#5b2a26"/>`)}
      ${print(13, 138, 74, `${sky}<path d="M0 72V46l22-22 18 18 12-10 22 22v18z" fill="#2f7f6d"/><circle cx="58" cy="16" r="8" fill="#ffd66b"/>`)}
      ${print(-3, 102, 130, `<rect width="74" height="72" fill="#ffd9a0"/><circle cx="37" cy="40" r="18" fill="#ff8f5a"/><path d="M0 44h74v28H0z" fill="#2a6f97"/><path d="M14 54h46M24 62h26" stroke="#bfe3f2" stroke-width="3"/>`)}`;
    },
  },
  {
    brand: 'Bright Lingo',
    action: 'First week free',
    variants: [
      {
        headline: 'Speak Spanish\nby June',
        colours: colours('#ffe45c', '#ffc233', '#2b2140', '#6c3bd1', '#ff7a59'),
      },
      {
        headline: '10 minutes\na day',
        colours: colours('#4a2bb0', '#7d4be0', white, '#ffdf4d', '#ff8a66'),
      },
    ],
    draw: ({ accent, soft, ink }) => `
      <path d="M24 30h104a18 18 0 0 1 18 18v38a18 18 0 0 1-18 18H66l-26 22v-22H24A18 18 0 0 1 6 86V48a18 18 0 0 1 18-18z" fill="${accent}"/>
      <text x="76" y="80" text-anchor="middle" font-size="38" font-weight="800" fill="${ink === white ? night : white}">¡Hola!</text>
      <path d="M84 112h92a18 18 0 0 1 18 18v30a18 18 0 0 1-18 18h-12v18l-24-18H84a18 18 0 0 1-18-18v-30a18 18 0 0 1 18-18z" fill="${white}"/>
      <text x="130" y="158" text-anchor="middle" font-size="34" font-weight="800" fill="${soft}">Hello</text>`,
  },
  {
    brand: 'Guardia Mobile',
    action: 'Scan my phone',
    variants: [
      {
        headline: 'Links\ncan lie.',
        colours: colours('#04140f', '#0b3d2e', white, '#34e39b', '#125a43'),
      },
      {
        headline: 'Block\nscam calls',
        colours: colours('#f2f5f7', '#cfd9e2', '#13202c', '#e11d48', '#b5c3cf'),
      },
    ],
    draw: ({ accent, soft, ink }) => `
      ${[94, 70, 46, 22].map((radius) => `<circle cx="100" cy="100" r="${radius}" fill="none" stroke="${soft}" stroke-width="4"/>`).join('')}
      <path d="M100 6v188M6 100h188" stroke="${soft}" stroke-width="2"/>
      <path d="M100 100 100 6A94 94 0 0 1 181.400 53z" fill="${accent}" opacity=".45"/><path d="M100 100 181.400 53" stroke="${accent}" stroke-width="5" stroke-linecap="round"/>
      ${[
        [62, 66],
        [128, 142],
        [54, 124],
        [96, 166],
      ]
        .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="6" fill="${ink}" opacity=".6"/>`)
        .join('')}
      <circle cx="134" cy="62" r="15" fill="none" stroke="${accent}" stroke-width="4"/><circle cx="134" cy="62" r="7.500" fill="${accent}"/>`,
  },
  {
    brand: 'Matchday',
    action: 'Follow your club',
    variants: [
      {
        headline: 'Live scores,\nno ads',
        colours: colours('#0a5c36', '#1c8a4d', white, '#f7f052', '#2a9d5c'),
      },
      {
        headline: 'Kick-off\nin 2 hours',
        colours: colours('#111827', '#1f3f8f', white, '#ff6b4a', '#2f56b8'),
      },
    ],
    draw: ({ accent, soft, from }) => `
      ${[0, 2, 4].map((at) => `<rect x="14" y="${12 + at * 30}" width="172" height="30" fill="${soft}"/>`).join('')}
      <g fill="none" stroke="${white}" stroke-width="4"><rect x="14" y="12" width="172" height="180"/><path d="M14 102h172"/><circle cx="100" cy="102" r="27"/><path d="M56 12v36h88V12M78 12v16h44V12M56 192v-36h88v36"/></g>
      <path d="M44 172Q40 92 118 60" fill="none" stroke="${accent}" stroke-width="6" stroke-dasharray="2 13" stroke-linecap="round"/>
      <circle cx="132" cy="52" r="25" fill="${white}"/>
      <path d="m132 39 12.400 9-4.700 14.500h-15.400L119.600 48zM132 27v12M144.400 48l11-5M139.700 62.500l7 10M124.300 62.500l-7 10M119.600 48l-11-5" fill="${from}" stroke="${from}" stroke-width="3" stroke-linejoin="round"/>`,
  },
];
