import { Dataset } from '#core/reports/query/dataset.ts';
import { queryPage } from '#core/reports/query/page.ts';
import { encodeTable, decodeTable } from '#core/reports/tables/blob.ts';
import { splitByDate } from '#core/reports/tables/days.ts';
import { concatTables } from '#core/reports/tables/append.ts';
const n=1_000_000;
function table(seed:number, from:string, subs=20011){
  const days=Array.from({length:90},(_,i)=>new Date(Date.parse(from)+i*86400000).toISOString().slice(0,10));
  const subids=Array.from({length:subs},(_,i)=>'sub-'+i);
  const geos=Array.from({length:50},(_,i)=>'G'+i);
  const dim=(id:string,labels:string[],f:(i:number)=>number)=>({id,labels,codes:Uint32Array.from({length:n},(_,i)=>f(i)%labels.length)});
  const sum=(id:string,scale:number,f:(i:number)=>number)=>({id,scale,values:Float64Array.from({length:n},(_,i)=>f(i))});
  return {rowCount:n,dimensions:[dim('date',days,i=>i*90/n|0),dim('feed',['900101','900102','900103','900104'],i=>i),dim('geo',geos,i=>i*7),dim('subid',subids,i=>i*7919+seed)],
   sums:[sum('total',0,i=>9000+i%1000),sum('monetized',0,i=>5000+i%77),sum('clicks',0,i=>300+i%100),sum('revenue',6,i=>16180339+i%12345)]};
}
const timed=<T>(name:string,f:()=>T)=>{const c=process.cpuUsage();const t=performance.now();const r=f();const u=process.cpuUsage(c);console.log(name,(performance.now()-t).toFixed(0),'ms wall',((u.user+u.system)/1000).toFixed(0),'ms cpu');return r;};
const a=table(0,'2026-08-01'),b=table(5,'2026-05-03');
const query={source:{kind:'search',sid:null},range:{from:'2026-08-01',to:'2026-10-29'},comparison:'previous',includeToday:false,levels:['geo','subid'],only:[],excluded:[],search:'',sort:{column:'revenue',descending:true}} as any;
const q={query,expanded:[],offset:0,limit:100,range:query.range,compared:{from:'2026-05-03',to:'2026-07-31'},incompleteDay:null};
const ds=timed('dataset',()=>new Dataset({kind:'search',current:a,compared:b,shiftDays:90}));
const p=timed('first',()=>queryPage(ds,q));
console.log(JSON.stringify(p.rows[0]),p.totals,p.rowCount);
timed('again',()=>queryPage(ds,q));
for(const levels of [['subid','geo'],['feed','geo'],['date','feed'],['subid']]) timed(levels.join(),()=>queryPage(ds,{...q,query:{...query,levels}}));
timed('expanded',()=>queryPage(ds,{...q,expanded:[['G1'],['G2']]}));
timed('sort diff',()=>queryPage(ds,{...q,query:{...query,levels:['subid'],sort:{column:'epc:difference',descending:false}}}));
timed('excluded',()=>queryPage(ds,{...q,query:{...query,excluded:[{dimension:'subid',value:'sub-5'}]}}));
timed('only',()=>queryPage(ds,{...q,query:{...query,only:[{dimension:'geo',value:'G5'}],levels:['subid']}}));
timed('search',()=>queryPage(ds,{...q,query:{...query,search:'sub-77'}}));
console.log(ds.cacheBytes/2**20,process.memoryUsage());
const split=timed('split',()=>splitByDate(a,[]));
const blobs=timed('encode',()=>[...split.days.values()].map(encodeTable));
console.log(blobs.reduce((x,y)=>x+y.length,0)/n,'bytes/row');
const back=timed('decode',()=>blobs.map(decodeTable));
timed('concat',()=>concatTables(back));
