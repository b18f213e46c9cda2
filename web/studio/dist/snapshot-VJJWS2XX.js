import{a,b,c,d,e,f}from"./chunk-NKFQ5KCY.js";import"./chunk-REEONWDS.js";export{b as csv,f as onGround,e as painted,d as pictured,a as save,c as standalone};
