import{a,b,c,d,e,f,g,h}from"./chunk-2M4TCYYO.js";import"./chunk-REEONWDS.js";export{f as captioned,b as csv,h as onGround,e as onWhite,g as painted,d as pictured,a as save,c as standalone};
