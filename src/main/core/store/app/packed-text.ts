import { deflateRawSync, inflateRawSync } from 'node:zlib';

const verdicts = [
  '[["browsers_enabled","Selected browsers"],["browser_versions_enabled","Selected browser versions',
  '"],["carrier_allowlist","none"],["categories_enabled","Selected categories"],["clickurl","empty"',
  '],["connection","none"],["connection_enabled","All connection types"],["create","empty"],["creat',
  'e_time","empty"],["d_revenue","Unlimited"],["devices","desktop, mobile, tablet"],["devices_enabl',
  'ed","All device types"],["domain_allowlist","1 entry ("],["domain_blocklist","2 entries ("],["en',
  'able_budget","Off (unlimited)"],["enable_shedule","On"],["enable_time","Off (no end)"],["exchang',
  'es_enabled","Selected exchanges"],["expire","empty"],["expire_time","empty"],["freq_cap","Off"],',
  '["freq_counter","0"],["geo","none"],["geo_enabled","All countries"],["icon","https://"],["image"',
  ',"https://"],["keywords_enabled","On"],["lang","none"],["lang_enabled","All languages"],["os","W',
  'indows, macOS, Linux, iOS"],["os_enabled","All operating systems"],["os_versions_enabled","All O',
  'S versions"],["t_revenue","Unlimited"],["traffic_quality","{\\"exclude_proxy\\":false,\\"min_score\\',
  '":"],["traffic_speed","On"],["traffic_type_enabled","Selected traffic types"],["type","Native"],',
  '["website","empty"]][["bidControl","none"],["browser_versions","none"],["browser_versions_enable',
  'd","All browser versions"],["browsers","none"],["browsers_enabled","All browsers"],["bundle_bloc',
  'klist","none"],["carrier_allowlist","none"],["categories","none"],["categories_enabled","All cat',
  'egories"],["cid","1"],["clickurl","https://example.com/?click_id={click_id}"],["connection","4g,',
  ' ethernet"],["connection_enabled","Selected connection types"],["create","1 Jan 2026"],["create_',
  'time","06:00"],["d_revenue","$100.00"],["description","empty"],["devices","mobile"],["devices_en',
  'abled","Selected device types"],["domain_allowlist","none"],["domain_blocklist","none"],["enable',
  '_budget","On"],["enable_shedule","Off (all hours)"],["enable_time","On"],["exchanges","none"],["',
  'exchanges_enabled","All exchanges"],["expire","31 Dec 2026"],["expire_time","23:59"],["freq_cap"',
  ',"On"],["freq_counter","3"],["geo","US"],["geo_enabled","Selected countries"],["icon","none"],["',
  'image","none"],["internal_note","empty"],["ip_allowlist","none"],["ip_blocklist","none"],["keywo',
  'rds_blocklist","empty"],["keywords_enabled","Off"],["keywords_whitelist","empty"],["lang","en"],',
  '["lang_enabled","Selected languages"],["name","Example"],["os","Android"],["os_enabled","Selecte',
  'd operating systems"],["os_versions","none"],["os_versions_enabled","Selected OS versions"],["pa',
  'yout","$0.10"],["publisher_allowlist","none"],["publisher_blocklist","none"],["shedule","All 168',
  ' hours"],["shedule_timezone","UTC"],["site_app_allowlist","none"],["site_app_blocklist","none"],',
  '["ssp_blocklist","none"],["status","Active"],["t_revenue","$1,000.00"],["title","empty"],["traff',
  'ic_quality","{\\"exclude_proxy\\":true,\\"min_score\\":50}"],["traffic_speed","Off"],["traffic_speed',
  '_counter","0"],["traffic_type","none"],["traffic_type_enabled","All traffic types"],["type","Dis',
  'play"],["uid","1"],["website","https://www.example.com/"]]',
].join('');

const answer = [
  '{"content":[{"type":"text","text":"{\\"status\\":\\"success\\",\\"data\\":{\\"operationId\\":\\"\\",\\"idem',
  'potencyKey\\":\\"\\",\\"kind\\":\\"campaign_update\\",\\"target\\":\\"campaign:1\\",\\"status\\":\\"completed\\',
  '",\\"committedAt\\":\\"2026-01-01T00:00:00.000Z\\",\\"verification\\":{\\"cid\\":1,\\"differences\\":[],\\"',
  'stored\\":true,\\"verifiedAt\\":\\"2026-01-01T00:00:00.000Z\\"}}}"}],"structuredContent":{"status":"s',
  'uccess","data":{"operationId":"","idempotencyKey":"","kind":"campaign_update","target":"campaign',
  ':1","status":"completed","committedAt":"2026-01-01T00:00:00.000Z","verification":{"cid":1,"diffe',
  'rences":[],"stored":true,"verifiedAt":"2026-01-01T00:00:00.000Z"}}}}',
].join('');

const callAndRead = [
  '{"arguments":{"approvalId":"","idempotencyKey":"","operation":"campaign.update","payload":{"appr',
  'ovalEndsAtMs":1700000000000,"notCompared":[],"preparation":{"args":{"changes":{"payout":0.1},"ci',
  'd":1},"tool":"svc_prepare_campaign_update"},"preparedDifferently":[],"subject":{"kind":"update",',
  '"read":{"campaign":{"bidControl":[],"browser_versions":[],"browser_versions_enabled":1,"browsers',
  '":[],"browsers_enabled":1,"bundle_blocklist":[],"carrier_allowlist":[],"categories":[],"categori',
  'es_enabled":1,"cid":1,"clickurl":"https://example.com/?click_id={click_id}","connection":["4g","',
  'ethernet"],"connection_enabled":0,"create":"2026-01-01","create_time":"06:00","d_revenue":100,"d',
  'escription":"","devices":["mobile"],"devices_enabled":0,"domain_allowlist":[],"domain_blocklist"',
  ':[],"enable_budget":1,"enable_shedule":0,"enable_time":1,"exchanges":[],"exchanges_enabled":1,"e',
  'xpire":"2026-12-31","expire_time":"23:59","freq_cap":1,"freq_counter":3,"geo":["US"],"geo_enable',
  'd":0,"icon":null,"image":null,"internal_note":"","ip_allowlist":[],"ip_blocklist":[],"keywords_b',
  'locklist":"","keywords_enabled":0,"keywords_whitelist":"","lang":["en"],"lang_enabled":0,"name":',
  '"Example","os":["Android"],"os_enabled":0,"os_versions":[],"os_versions_enabled":0,"payout":0.1,',
  '"publisher_allowlist":[],"publisher_blocklist":[],"shedule":[1,1,1,1,1,1,1,1],"shedule_timezone"',
  ':"UTC","site_app_allowlist":[],"site_app_blocklist":[],"ssp_blocklist":[],"status":1,"t_revenue"',
  ':1000,"title":"","traffic_quality":{"exclude_proxy":true,"min_score":50},"traffic_speed":0,"traf',
  'fic_speed_counter":0,"traffic_type":[],"traffic_type_enabled":1,"type":18,"uid":1,"website":"htt',
  'ps://www.example.com/"},"campaign_types":{"11":{"maxBid":0.25,"minBid":0.0005,"name":"Popunder",',
  '"pricing":"CPV"},"12":{"maxBid":25,"minBid":0.25,"name":"Popunder Premium","pricing":"CPM"},"15"',
  ':{"maxBid":3,"minBid":0.008,"name":"Native","pricing":"CPC"},"18":{"maxBid":15,"minBid":0.05,"na',
  'me":"Display","pricing":"CPM"},"3":{"maxBid":2.5,"minBid":0.005,"name":"Push","pricing":"CPC"},"',
  '5":{"maxBid":2,"minBid":0.003,"name":"In-Page Push","pricing":"CPC"},"7":{"maxBid":5,"minBid":0.',
  '01,"name":"Contextual","pricing":"CPC"}},"settings":{"edit_clickurl":true,"enable_bidcontrol":tr',
  'ue,"enable_freq_cap":true,"enable_traffic_speed":true,"min_budget":10,"postbackurl":"https://pos',
  'tback.example.com/conversion?click_id={click_id}&payout={payout}"}}},"task":null,"tool":{"defini',
  'tionHash":"","name":"svc_commit","title":"Commit a prepared change"},"undeclared":[]}',
].join('');

/** Never edit it: each text needs the dictionary of its compression. Texts from before the dictionary are readable too. */
const dictionary = Buffer.from(answer + verdicts + JSON.stringify(callAndRead) + callAndRead);

export function packText(text: string): Buffer {
  return deflateRawSync(text, { dictionary, level: 9 });
}

/** Marks texts of {@link packBeside}. No compressed text begins with this byte, because its block type is invalid (RFC 1951 §3.2.3). */
const packedBeside = 7;

/** Compresses a text that repeats much of `other`. Unpacking needs the same `other`. */
export function packBeside(text: string, other: string): Buffer {
  const packed = deflateRawSync(text, {
    dictionary: Buffer.concat([dictionary, Buffer.from(other)]),
    level: 9,
  });
  return Buffer.concat([Buffer.of(packedBeside), packed]);
}

/** Unpacks texts of {@link packBeside} and {@link packText}. */
export function unpackBeside(packed: Uint8Array, other: string): string {
  if (packed[0] !== packedBeside) return unpackText(packed);
  return inflateRawSync(packed.subarray(1), {
    dictionary: Buffer.concat([dictionary, Buffer.from(other)]),
  }).toString();
}

export function unpackText(packed: Uint8Array): string {
  return inflateRawSync(packed, { dictionary }).toString();
}
