/** 256 plain words each: one of the first and one of the second make the two that a person compares. */
export const firstWords: readonly string[] = `
  able active agile alpine amber ample ancient aqua arctic ashen autumn azure balmy basic beige best big blank bold
  bonny brief bright brisk bronze brown busy candid careful casual central cheery chief classic clean clear clever close
  coastal cobalt common compact cool copper coral cosmic crimson crisp curious curly daily dapper daring deft direct
  distant dotted double dry eager early earnest east easy elder elegant empty equal even exact fair faithful fancy fast
  fertile fine firm first floral fluent fond formal frank free fresh frosty full funny gentle giant gifted gleaming
  global glossy golden good grand gray great green handy happy hardy harvest hazel healthy hearty helpful hidden high
  honest humble icy ideal indigo inner iron jade jolly joyful jumbo just keen known large late lavish lean leafy light
  lilac linen little lively local lofty loyal lucid lucky lunar magic main maple marble marine mellow merry mighty mild
  misty modern modest mossy muted narrow navy neat new nimble noble north oaken ocean odd olive open orange orderly oval
  pale pastel patient peach pearl plain playful pleasant polar polite prime proper pure purple quick quiet rapid rare
  red regal rich ripe rocky rosy royal ruby rural rustic safe sandy scarlet serene shady sharp shiny short silent silver
  simple sleek slim slow small smart snowy snug social soft solar solid spare speedy spicy spring square stable steady
  steep still stone stout strong sturdy sunny super sure sweet swift tall tidy timber tiny topaz trim true trusty urban
  vast velvet vivid warm wary wide wild wise witty woolen young
`
  .trim()
  .split(/\s+/);

export const secondWords: readonly string[] = `
  acorn actor album almond anchor anvil apple arch arrow aspen atlas attic badge bagel banjo barley barn basin basket
  bay beacon beaver bell bench berry bicycle birch blanket blossom boat bonnet book boot bowl bramble branch bread brick
  bridge brook brush bucket bugle butter button cabin camel canal candle canoe canyon captain cargo carrot castle cedar
  cello chair chalk cherry cider circle citrus clay cliff clock clover coat cobra coffee comet compass cookie cotton
  cove crane crater creek cricket cup curtain daisy dance delta desert diary donkey door dove dragon drawer drum eagle
  easel echo elbow elm ember engine farm feather fence fern fiddle field finch flag flame flask flower flute forest fox
  galaxy garden gate geyser ginger glacier glove goose grape gravel grove guitar hammer hammock harbor harp hat heron
  hill horizon horse hotel iris island ivy jaguar jasmine jelly jewel jigsaw juniper kayak kite kitten ladder lagoon
  lake lamp lark laurel lemon lettuce library lily lion lobster locket lotus lynx magnet mango market melon mirror
  mitten moon moose mountain museum napkin needle nest noodle nutmeg oasis onion orchard orchid otter owl oyster palace
  panda papaya parade parcel parrot peanut pelican pencil pepper piano pillow pine plum pocket pond poppy porch potato
  prairie quail quartz quilt rabbit radish raft rain reef ribbon river robin rocket roof saddle sail salmon saturn scarf
  shell shore sky sofa sparrow spoon spruce squirrel stream summit swan table tailor teapot temple tiger toast tower
  train tulip tunnel valley vase village violin walnut wagon walrus willow window winter wren yacht zebra
`
  .trim()
  .split(/\s+/);
