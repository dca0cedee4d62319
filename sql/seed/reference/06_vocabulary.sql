-- More words for the categories of 02_categories.sql: customers' words for a trade, products, broken things and pains,
-- in Spanish, Catalan with its forms in Valencia and the Balearic Islands, and English. They are suggested after the
-- synonyms of that file.
set local plaza.seeding = 'on';

insert into public.category_synonyms (category_slug, synonym_term, language_code, priority)
select code, term, language, 30
from (values
  ('active',
    'actividad física,deportista,polideportivo,club deportivo,deportivo,sedentario',
    'activitat física,esportista,poliesportiu,club esportiu,esportiu',
    'sporty,sports club,stay active,physical activity'),
  ('gyms',
    'mancuernas,spinning,ciclo indoor,cinta de correr,máquinas de gimnasio,body pump,bodypump,cardio,adelgazar,perder peso,bajar peso,'
    'quemar grasa,perder barriga,quitar barriga,bajar barriga,perder kilos,abdominales,glúteos,bíceps,entrenar,entreno,entrenadora,kickboxing,'
    'boxear,boxeador,artes marciales,kárate,judo,taekwondo,jiu jitsu,muay thai,mma,lucha deportiva,defensa personal,aerobic,gimnasia,'
    'gimnasia mantenimiento,calistenia,halterofilia,hiit,trx,tonificar,masa muscular,ganar músculo,ponerse fuerte,ponerse cachas,cachas,'
    'operación bikini,nadar,natación,aquagym,clases dirigidas,pole dance,bici estática,gimnasta,fortalecer,preparador físico,tatami,box crossfit,'
    'electroestimulación,piscina municipal,piscina cubierta,clases natación,aerobic step,máquinas pesas,mejorar condición física',
    'manuelles,peses,musculació,perdre pes,baixar pes,cremar greix,perdre panxa,treure panxa,perdre quilos,boxejar,gimnàstica,massa muscular,'
    'guanyar múscul,posar-se fort,operació biquini,nedar,natació,classes dirigides,preparador físic,enfortir,piscina coberta,classes natació',
    'weights,weightlifting,dumbbells,barbell,treadmill,spin class,bodybuilding,lose weight,weight loss,lose belly,burn fat,burn calories,'
    'build muscle,gain muscle,muscles,glutes,exercise bike,gymnastics,martial arts,self defence,self defense,calisthenics,fitness class,'
    'health club,bootcamp,boot camp,aqua aerobics,pole dancing,day pass gym,bikini body,coach fitness,swimming lessons,swimming classes,'
    'indoor pool,public pool,strength training,weight training,personal training,fitness trainer,body toning'),
  ('yoga',
    'hatha,vinyasa,ashtanga,kundalini,bikram,yoga prenatal,máquina pilates,mindfulness,meditar,chi kung,qi gong,tai chi,taichi,'
    'respiración consciente,flexibilidad,estirar,estirarse,yogui,posturas yoga,saludo al sol,clase relajante,relajar mente,paz interior,chakras,'
    'cuencos tibetanos,yogaterapia,hipopresivos,esterilla,postura corporal,equilibrio cuerpo mente,desestresarse,retiro espiritual,reformer',
    'txi kung,tai-txi,taitxí,respiració conscient,flexibilitat,relaxació,iogui,salutació al sol,pau interior,txacres,bols tibetans,hipopressius,'
    'estora de ioga,cos i ment,recés espiritual,ioga per embarassades',
    'hot yoga,aerial yoga,meditate,breathwork,breathing exercises,flexibility,stretch,yogi,yoga mat,yoga retreat,sun salutation,inner peace,'
    'sound bath,singing bowls,barre class,posture,core strength,mind body,unwind'),
  ('outdoor-sports',
    'excursión montaña,trekking,treking,caminata,escalar,rocódromo,vía ferrata,barranquismo,barrancos,descenso de barrancos,espeleología,'
    'alpinismo,alpinista,guía de montaña,raquetas de nieve,surfear,surfista,tabla surf,paddle surf,kitesurf,windsurf,wakeboard,esquí acuático,'
    'clases de vela,navegar,barco,alquiler barco,velero,catamarán,moto de agua,motos acuáticas,snorkel,esnórquel,submarinismo,bucear,buzo,'
    'bautismo de buceo,piragua,canoa,piragüismo,descenso río,parapente,ala delta,paracaidismo,paracaídas,globo aerostático,vuelo en globo,'
    'tirolina,puenting,multiaventura,parque aventura,mountain bike,ciclismo,btt,ruta en bici,cicloturismo,quads,caballo,montar caballo,hípica,'
    'equitación,pádel,tenis,pista tenis,golf,salida pesca,tiro con arco,paintball,karts,running,correr montaña,trail running,orientación montaña,'
    'jugar fútbol,campo fútbol,deporte acuático,subir montaña,ruta montaña,deportes montaña,pesca deportiva,caña pescar,barco vela',
    'excursió muntanya,caminada,rocòdrom,barranquisme,descens de barrancs,alpinisme,guia de muntanya,raquetes de neu,piragüisme,classes de vela,'
    'vaixell,lloguer barca,barca,catamarà,moto aquàtica,submarinisme,bussejar,immersions,bateig de busseig,parapent,paracaigudisme,paracaigudes,'
    'globus aerostàtic,volar en globus,pònting,parc d''aventura,esports d''aventura,bicicleta de muntanya,ciclisme,cicloturisme,cavalls,'
    'muntar a cavall,equitació,tennis,pista tennis,tir amb arc,cursa de muntanya,camp de futbol,esports aquàtics,pujar muntanya,ruta muntanya,'
    'esports muntanya,pesca esportiva,canya pescar,passeig cavall,vaixell vela',
    'hike,trek,trails,rock climbing,climbing wall,climb,canyoning,caving,alpine guide,snowshoes,surfboard,paddle boarding,paddleboard,sup,'
    'kitesurfing,windsurfing,wakeboarding,sailing,sail,boat rental,boat hire,boat trip,yacht,jet ski,snorkelling,snorkeling,scuba,canoe,canoeing,'
    'white water,paragliding,skydiving,parachute,hot air balloon,bungee,zip line,zipline,adventure park,adventure,outdoor activities,'
    'mountain biking,cycling,bike tour,quad biking,horse,horses,horseback riding,pony,stables,tennis court,fishing trip,archery,go karting,'
    'running club,play football,football pitch,water sports,mountain guide,mountain walk,mountain sports,mountain climbing,fishing charter,'
    'buggy tour'),
  ('ski',
    'pistas de esquí,estación de esquí,tabla de snow,monitor de esquí,profesor de esquí,escuela de esquí,botas de esquí,bastones esquí,remontes,'
    'telesilla,telecabina,fuera de pista,freeride,freestyle nieve,esquí de fondo,esquí de montaña,travesía nieve,raquetas de nieve,trineo,'
    'aprender esquiar,esquiador,encerar esquís,reparar esquís,fijaciones,ropa de nieve,gafas de ventisca,semana blanca,viaje nieve,snowboarder,'
    'snowpark,guardaesquís',
    'forfet,pistes d''esquí,estació d''esquí,taula de snow,professor d''esquí,escola d''esquí,botes d''esquí,telecadira,fora pista,esquí de fons,'
    'esquí nòrdic,esquí de muntanya,raquetes de neu,trineu,anar a la neu,aprendre esquiar,fixacions,roba de neu,setmana blanca',
    'snowboarding,ski lessons,ski instructor,ski hire,ski boots,ski pass,lift pass,lift ticket,ski slopes,slopes,piste,ski resort,chairlift,'
    'gondola,off piste,powder snow,cross country skiing,ski touring,snowshoes,snowshoeing,sledge,sled,sledding,toboggan,ski wax,ski repair,'
    'ski tuning,ski bindings,goggles,skier,salopettes,ski gear,ski wear,winter sports'),
  ('arts',
    'cultura,cultural,agenda cultural,entretenimiento,plan cultural,actividad cultural,artístico,plan ocio',
    'entreteniment,pla cultural,activitat cultural',
    'culture'),
  ('galleries',
    'galerista,sala de exposiciones,comprar arte,obra de arte,lienzo,óleo,acuarela,escultura,escultor,escultora,litografía,serigrafía arte,'
    'arte contemporáneo,arte moderno,vernissage,museo,subasta de arte,enmarcar,enmarcado,marcos cuadros,marquetería,láminas decorativas,'
    'artista plástico,pintor cuadros,ver pinturas,ver arte,anticuario,antigüedades,caballete,grabado artístico,pintar cuadros,cuadro óleo',
    'comprar art,obra d''art,obres d''art,pintura a l''oli,aquarel·la,art contemporani,art modern,vernissatge,museu,subhasta d''art,emmarcar,'
    'marcs quadres,làmines decoratives,artista plàstic,pintor quadres,veure pintures,botiga antiguitats,comprar antiguitats,gravat artístic',
    'gallery,galleries,art shop,buy art,artwork,art works,fine art,contemporary art,canvas,oil painting,watercolour,watercolor,sculpture,'
    'sculptures,sculptor,prints art,lithograph,exhibit,museum,art auction,picture frame,picture framing,wall art,collector,art opening,art fair,'
    'antiques,antique,framed art,painter portrait'),
  ('theaters',
    'función de teatro,entradas teatro,ópera,zarzuela,ballet,danza,espectáculo de danza,títeres,marionetas,guiñol,teatro infantil,magia,mago,'
    'ilusionista,circo,payaso,monologuista,humorista,reírse,reír,actor,actriz,escenario,dramaturgia,drama,tragedia,cabaret,microteatro,'
    'improvisación teatral,impro,auditorio,cine,película,cartelera,compañía de teatro,obra de teatro niños,ver una obra,clases de interpretación,'
    'entradas musical,obra musical,teatro musical',
    'funció de teatre,entrades teatre,sala de teatre,sarsuela,dansa,espectacle de dansa,titelles,putxinel·lis,marionetes,teatre infantil,mag,'
    'il·lusionista,circ,pallasso,monòlegs,riure,escenari,auditori,cinema,pel·lícula,pel·lícules,companyia de teatre,pastorets,veure una obra,'
    'classes d''interpretació,espectacle ballet,entrades òpera,entrades musical,cartellera cinema',
    'theatre tickets,theater tickets,stage,stage play,dance show,puppets,puppet show,magic show,magician,illusionist,circus,clown,comedian,'
    'comedy club,laugh,improv,actress,playhouse,burlesque,auditorium,performing arts,movie,movies,kids theatre,matinee,box office,musical tickets,'
    'musical theatre,musical theater,stand up comedy'),
  ('flamenco',
    'bulerías,sevillanas,rumba,cante jondo,cantaor,cantaora,bailaor,bailaora,guitarra flamenca,noche flamenca,cena espectáculo,castañuelas,'
    'taconeo,peña flamenca,sala de conciertos,música en vivo,actuaciones en directo,grupo en directo,banda en directo,jazz,blues,cantautor,'
    'orquesta,recital,acústico,jam session,gira concierto,entradas concierto,cantante,festival de música,soul,reggae,verbena,cante flamenco,'
    'música rock,grupo rock,concierto directo',
    'flamenc,espectacle flamenc,sevillanes,rumba catalana,sopar espectacle,castanyoles,sala de concerts,música en directe,actuacions en directe,'
    'actuació en directe,grup en directe,cantautora,orquestra,acústic,entrades concert,havaneres,sardanes,revetlla,cobla sardanes,concert directe,'
    'directe',
    'flamenco show,flamenco dancers,flamenco tickets,spanish guitar,dinner show,castanets,concert tickets,concert hall,live band,live gig,'
    'band playing,jazz club,indie,singer,songwriter,acoustic,orchestra,music festival,live show,spanish music,music,open mic,rock music,rock band,'
    'show'),
  ('auto',
    'vehículo,auto,carro,furgoneta,todoterreno,autocaravana,coche eléctrico',
    'vehicle,vehicles,automòbil,tot terreny,cotxe elèctric',
    'automotive,campervan'),
  ('auto-repair',
    'mecánica rápida,taller de chapa,chapista,pintura coche,pintar coche,arañazo coche,rayado coche,rayón coche,abolladura,abollado,golpe coche,'
    'golpe de chapa,parachoques,paragolpes,retrovisor,luna coche,luna rota,parabrisas,cambio de lunas,coche roto,coche averiado,coche arranca,'
    'coche ruido,ruido motor,humo motor,coche humo,coche se cala,coche tirado,tirado carretera,tirado autopista,se calienta motor,testigo motor,'
    'luz motor,luz salpicadero,pierde aceite,fuga de aceite,aceite coche,cambiar aceite,filtro aceite,pastillas de freno,frenar,discos de freno,'
    'líquido de frenos,caja de cambios,amortiguadores,suspensión coche,dirección asistida,correa de distribución,distribución coche,alternador,'
    'bujías,inyectores,turbo,catalizador,tubo de escape,escape coche,radiador coche,anticongelante,carburador,culata,junta culata,diésel,'
    'sin batería coche,batería descargada,pinzas batería,cargar batería coche,aire acondicionado coche,carga de gas coche,elevalunas,'
    'limpiaparabrisas,faros,bombilla coche,bombilla faro,revisión itv,pasar itv,inspección técnica,mantenimiento coche,electromecánico,'
    'electricista coche,grúa,remolcar,recambios,piezas coche,desguace,accidente coche,choque coche,me dieron un golpe coche,neumático pinchado,'
    'rueda pinchada,pinchazo,llave coche,enganche remolque,alineado dirección,volante vibra,embrague patina,marchas no entran,'
    'filtro de partículas,adblue,furgoneta arranca,coche enciende,furgoneta averiada,carro,arreglar carro,carro averiado,mecánico carro,'
    'itv caducada,pinchado rueda',
    'taller de xapa,xapista,pintar cotxe,ratllada cotxe,rascada cotxe,bony cotxe,abonyegat,abonyegada,cop cotxe,vidre cotxe,parabrises,'
    'canvi de vidres cotxe,cotxe espatllat,cotxe trencat,cotxe engega,cotxe arrenca,cotxe soroll,soroll motor,fum motor,cotxe fum,tirat carretera,'
    'escalfa motor,llum motor,perd oli,fuita d''oli,oli cotxe,canviar oli,filtre oli,pastilles de fre,fre,discos de fre,embragatge,'
    'caixa de canvis,amortidors,suspensió cotxe,corretja de distribució,bugies,injectors,catalitzador,tub d''escapament,radiador cotxe,'
    'anticongelant,bateria cotxe,bateria descarregada,pinces bateria,aire condicionat cotxe,carregar gas cotxe,alçavidres,eixugaparabrises,fars,'
    'bombeta cotxe,revisió cotxe,revisar cotxe,revisió itv,passar itv,inspecció tècnica,manteniment cotxe,reparar cotxe,electromecànic,recanvis,'
    'peces cotxe,desballestament,accident cotxe,xoc cotxe,roda punxada,punxada,clau cotxe,furgoneta engega,furgoneta espatllada,cotxe avariat',
    'car broke down,car broken,broke down,broken down,engine,engine light,warning light,check engine,engine noise,strange noise car,car noise,'
    'car smoke,smoke engine,overheating car,engine overheating,car won''t start,car starts,stalled car,stalling,dead battery car,flat battery,'
    'car battery,jump start,jump leads,jumper cables,brake,brake pads,brake fluid,clutch,gearbox,transmission,gears,suspension,shock absorbers,'
    'steering wheel shakes,timing belt,cam belt,alternator,spark plugs,exhaust,muffler,catalytic converter,radiator car,coolant,antifreeze,'
    'oil leak car,engine oil,windscreen,windshield,wipers,headlight,wing mirror,side mirror,bumper,scratch car,scratched car,paint car,'
    'panel beating,bodywork,crash car,crashed car,car accident,fender bender,mot,mot test,vehicle inspection,roadworthy,car servicing,auto shop,'
    'auto mechanic,car mechanic,tow,tow truck,towing,roadside assistance,recovery truck,spare parts,car parts,air con car,car air conditioning,'
    'flat tyre,flat tire,puncture,car key,scrapyard,dent car,dented car,dent removal,dent door,car diagnostics,engine start,van broke,van start'),
  ('car-wash',
    'lavacoches,lavadero de coches,lavadero,túnel de lavado,lavado interior,lavado exterior,lavado integral,lavar furgoneta,lavar moto,lavar auto,'
    'lavar vehículo,coche sucio,coche limpio,coche lleno de barro,coche polvo,encerar coche,pulir coche,pulido coche,pulir faros,pulido faros,'
    'faros amarillos,abrillantar coche,aspirar coche,aspirado interior,interior coche,asientos coche,limpiar asientos,manchas asiento,'
    'alfombrillas,salpicadero limpio,tratamiento cerámico coche,ozono coche,olor coche,huele mal coche,pelos de perro coche,desinfectar coche,'
    'boxes lavado,dejar el coche como nuevo,lavado mano coche,encerado coche,detailing coche,lavar carro,carro sucio,coche guarro,coche guarrísimo',
    'rentacotxes,túnel de rentat,rentador de cotxes,rentat interior,rentat exterior,autorentat,rentar furgoneta,rentar moto,rentar vehicle,'
    'netejar cotxe,llavar cotxe,llavat de cotxes,cotxe brut,cotxe net,cotxe ple de fang,encerar cotxe,polir cotxe,polir fars,fars grocs,'
    'abrillantar cotxe,aspirar cotxe,interior cotxe,seients cotxe,netejar seients,taques seient,estoretes cotxe,ozó cotxe,olor cotxe,pudor cotxe,'
    'desinfectar cotxe,rentat mà cotxe,detailing cotxe',
    'carwash,hand wash car,car washing,car valet,valeting,car valeting,clean car,dirty car,muddy car,wash van,wash motorbike,car interior,'
    'interior cleaning car,car seats,stained seats,clean seats,car upholstery,car vacuum,car wax,wax polish car,car polish,polishing car,'
    'ceramic coating,smelly car,car smell,dog hair car,pressure wash car,jet wash,self service wash,headlight polishing,car detail,auto detailing,'
    'car detailer'),
  ('tires',
    'rueda pinchada,pinchado rueda,pinchado coche,pinchar rueda,pinchado autopista,pinchado carretera,reventón,rueda reventada,reventado rueda,'
    'rueda sin aire,rueda desinflada,desinflado,inflar ruedas,presión ruedas,parche rueda,arreglar pinchazo,reparar pinchazo,cubiertas coche,'
    'gomas coche,neumáticos de invierno,neumáticos segunda mano,paralelo coche,equilibrado ruedas,rueda de repuesto,rueda de recambio,'
    'recauchutado,válvula rueda,cadenas de nieve,neumáticos moto,tornillos antirrobo,clavo rueda,tornillo rueda,neumáticos desgastados,'
    'vulcanizadora,cambiar ruedas,tapacubos,bridgestone,pirelli,goodyear,firestone,alineación ruedas,alineación dirección,alinear ruedas',
    'roda,roda punxada,punxat,punxar roda,rebentada roda,roda sense aire,roda desinflada,inflar rodes,pressió rodes,pegat roda,arreglar punxada,'
    'reparar punxada,llantes,gomes cotxe,cobertes cotxe,pneumàtics d''hivern,paral·lel cotxe,equilibrat rodes,roda de recanvi,vàlvula roda,'
    'cadenes de neu,pneumàtics moto,clau roda,cargol roda,canviar rodes,rodes gastades,tapaboques roda,alineació rodes,alineació direcció,'
    'alinear rodes',
    'tyre,tire,flat tire,flat tyres,flat wheel,punctured,punctured tyre,blown tyre,blown tire,burst tyre,burst tire,tyre pressure,tire pressure,'
    'inflate tyre,inflate tires,air in tyres,deflated tyre,patch tire,nail in tyre,nail in tire,screw tyre,tyre change,tire change,tyre repair,'
    'tire repair,tire shop,tyre shop,winter tyres,winter tires,snow chains,wheel alignment,wheel balancing,spare wheel,spare tyre,spare tire,rims,'
    'alloy wheels,alloys,hubcap,tread,worn tyres,tyre fitter,car alignment,tracking wheels'),
  ('motorcycles',
    'motocicleta,motero,motera,vespa,vespino,escúter,quad,enduro,motocross,harley,harley davidson,ducati,kawasaki,piaggio,lambretta,125 cc,'
    'tienda de motos,concesionario de motos,alquiler de motos,alquilar moto,alquilar scooter,comprar moto,vender moto,moto segunda mano,'
    'moto eléctrica,patinete eléctrico,patinete,casco integral,casco moto,guantes moto,chaqueta moto,equipamiento motorista,moto arranca,'
    'moto averiada,moto rota,cadena moto,manillar moto,mecánico de motos,revisión moto,mobylette',
    'motocicletes,motocròs,botiga de motos,concessionari de motos,lloguer de motos,llogar moto,llogar scooter,vendre moto,moto segona mà,'
    'patinet elèctric,patinet,casc integral,casc moto,jaqueta moto,moto engega,moto arrenca,moto espatllada,mecànic de motos,revisió moto',
    'motorcycles,motorbikes,motorcyclist,moped,biker,dirt bike,quad bike,motorbike rental,motorcycle rental,motorbike hire,scooter rental,'
    'scooter hire,rent scooter,rent motorbike,buy motorbike,electric scooter,motorbike repair,motorcycle repair,motorcycle mechanic,'
    'motorbike won''t start,motorcycle helmet,crash helmet,biker jacket,motorcycle gear,handlebars,125cc'),
  ('beautysvc',
    'ponerse guapo,estar guapa,estar guapo,día de belleza,imagen personal,invitada boda,cambio imagen',
    'posar-se guapa,posar-se guapo,dia de bellesa,imatge personal,convidada boda,cures de bellesa,canvi imatge',
    'beauty salon,pamper,pampering,makeover,personal care,beauty parlour,wedding guest look'),
  ('hair',
    'pelu,peluquería de señoras,peluquería infantil,peluquería unisex,peluquería hombre,peluquería a domicilio,cabello,corte de cabello,'
    'corte señora,corte mujer,corte niño,corte de puntas,cortar puntas,puntas abiertas,sanear puntas,cortarme el pelo,melena,flequillo,'
    'cubrir canas,tapar canas,tinte sin amoniaco,color pelo,decoloración,decolorar,rubio platino,teñir rubio,balayage,babylights,californianas,'
    'reflejos pelo,baño de color,keratina,queratina,alisado japonés,alisar pelo,botox capilar,tratamiento capilar,capilar,caída del pelo,alopecia,'
    'calvicie,injerto capilar,caspa,rizos,rizado,rizar pelo,pelo rizado,pelo afro,trenzas,rastas,semirrecogido,peinado novia,peinado boda,peinar,'
    'peinarse,peinado fiesta,secar pelo,secador pelo,lavar y marcar,lavar y peinar,lavado de cabeza,pelo largo,pelo corto,pelo graso,'
    'pelo encrespado,encrespado,greñas,pelucas,asesor de imagen,corte bob,corte pixie,degradado,pelado,pelarse,cortar pelo niño,piojos,'
    'raparse cabeza,rapar cabeza,rapado lados,recoger pelo',
    'perru,perruques,perruca,perruqueries,perruqueria infantil,perruqueria unisex,perruqueria home,perruqueria a domicili,puntes obertes,'
    'tallar puntes,sanejar puntes,serrell,cabells blancs,tapar canes,tenyir,color cabell,decoloració,descolorar,tenyir ros,balaiatge,'
    'reflexos cabell,bany de color,allisat,allisar cabell,permanent,tractament capil·lar,capil·lar,caiguda del cabell,rínxols,arrissat,arrissar,'
    'rastes,monyo,pentinat núvia,pentinar,pentinat festa,assecar cabell,rentar i marcar,rentar i pentinar,cabell llarg,cabell curt,cabell gras,'
    'cabell arrissat,grenyes,degradat',
    'hair dresser,hairstyle,hairstylist,hairstyling,stylist,trim hair,split ends,ends trimmed,fringe,bangs,grey hair,gray hair,cover greys,'
    'roots done,root touch up,dye,dyed,dyeing,hair colour,hair color,colourist,colorist,bleach hair,blonde,blond,brunette,lowlights,keratin,'
    'brazilian blowout,hair straightening,straighten hair,perm,curly hair,curls,afro hair,braids,braiding,cornrows,dreadlocks,dreads,box braids,'
    'updo,bridal hair,wedding hair,blowout,wash and blow dry,hair wash,hair extensions,hair loss,bald,balding,hair transplant,dandruff,wig,frizzy,'
    'frizz,hair treatment,long hair,short hair,bob cut,pixie cut,layers cut,kids haircut,ladies haircut,women''s haircut,buzz cut,shave head,lice'),
  ('barbers',
    'barbershop,corte de pelo,cortar el pelo,cortarse el pelo,corte de cabello,corte hombre,corte masculino,corte chico,corte niño,'
    'corte degradado,peluquería hombre,peluquería de caballeros,peluquería masculina,peluquero hombre,peluquero caballero,pelarse,pelado,'
    'rapar cabeza,degradado,fade,skin fade,pelo a máquina,corte a máquina,corte a tijera,corte a navaja,navaja de afeitar,afeitar,afeitarse,'
    'rasurar,rasurado,barbudo,perilla,bigote,bigotes,recortar barba,perfilar barba,arreglarse la barba,recortar bigote,cejas hombre,'
    'toalla caliente,espuma de afeitar,aceite para barba,tupé,flequillo hombre,nuca,canas barba,tinte barba,corte clásico,raparse cabeza,'
    'rapado lados,rapado cero,recortar patillas,cortarme pelo',
    'barberies,tall de cabell,tallar els cabells,tall masculí,tall cavaller,tall noi,tall nen,perruqueria home,perruqueria d''homes,'
    'perruqueria masculina,perruquer home,degradat,tall a màquina,tall a navalla,navalla d''afaitar,afaitar,afaitada,barbut,bigoti,retallar barba,'
    'tallar-se la barba,retallar bigoti,celles home,tovallola calenta,escuma d''afaitar,oli de barba,clatell,tall clàssic,retallar patilles',
    'haircut,hair cut,trim hair,mens hair,men''s hairdresser,male hairdresser,gents haircut,gents barber,boys haircut,kids haircut,guys haircut,'
    'taper,taper fade,buzz cut,crew cut,undercut,mohawk,clippers,shave head,wet shave,hot towel,hot towel shave,straight razor,razor,shaved,'
    'shaving,shape beard,beard oil,beard shaping,moustache,mustache,goatee,sideburns,stubble,facial hair,line up hair,short back and sides,'
    'neck shave'),
  ('beauty-salon',
    'estética facial,esteticién,cabina estética,depilarme,depilación láser,depilación con cera,depilación hilo,fotodepilación,láser diodo,vello,'
    'pelos piernas,ingles brasileñas,ingles depilar,axilas,piernas depilar,bigote,bigote cera,labio superior,entrecejo,hilo cejas,diseño de cejas,'
    'laminado cejas,microblading,micropigmentación,maquillaje permanente,lifting de pestañas,extensiones de pestañas,permanente de pestañas,rímel,'
    'maquillar,maquillarse,maquilladora,maquillador,maquillaje novia,maquillaje boda,maquillaje fiesta,arrugas,antiedad,antiarrugas,acné,'
    'granos cara,espinillas,puntos negros,manchas piel,piel grasa,piel seca,cuidado de la piel,limpieza de cara,limpieza piel,peeling,exfoliación,'
    'hidratación facial,tratamiento corporal,celulitis,anticelulítico,flacidez,reafirmante,radiofrecuencia,presoterapia,maderoterapia,mesoterapia,'
    'cavitación,reducir barriga,estrías,bótox,ácido hialurónico,relleno labios,aumento labios,labios,medicina estética,rejuvenecer,ojeras,'
    'rayos uva,solárium,bronceado,broncearse,moreno cabina,cosmética,cosméticos,piercing,tatuaje,tatuajes,tatuador,tatuarse,borrar tatuaje,'
    'manos y pies,uñas gel,uñas pies,patas gallo',
    'esteticista facial,esteticistes,depilació làser,depilació amb cera,depilació fil,fotodepilació,borrissol,engonals,aixelles,cames depilar,'
    'bigoti,bigoti cera,llavi superior,entrecella,disseny de celles,laminat celles,micropigmentació,maquillatge permanent,lífting de pestanyes,'
    'extensions de pestanyes,permanent de pestanyes,maquillatge núvia,maquillatge boda,arrugues,antiedat,grans cara,punts negres,taques pell,'
    'pell grassa,pell seca,cura de la pell,neteja de cutis,neteja facial,neteja de cara,tractament facial,exfoliació,hidratació facial,'
    'tractament corporal,cel·lulitis,flaccidesa,radiofreqüència,pressoteràpia,àcid hialurònic,augment llavis,rejovenir,raigs uva,bronzejat,'
    'pírcing,tatuatge,tatuatges,esborrar tatuatge,ungla,mans i peus,estries panxa',
    'beauty salon,beauty parlour,beauty parlor,beauty clinic,aesthetician,esthetician,beauty therapist,wax,waxed,brazilian wax,bikini wax,'
    'bikini line,leg wax,eyebrow wax,brow wax,eyebrow threading,hair removal,laser treatment,unwanted hair,upper lip,armpits,electrolysis,ipl,'
    'brows,brow lamination,brow tint,permanent makeup,lashes,lash lift,lash extensions,eyelash extensions,mascara,make up artist,makeup artist,'
    'bridal makeup,wedding makeup,get my makeup done,wrinkles,wrinkle,anti-ageing,anti-aging,spots on face,pimples,blackheads,pores,skin care,'
    'skincare,glowing skin,dry skin,oily skin,peel,chemical peel,microdermabrasion,hydrafacial,cellulite,stretch marks,body contouring,lip filler,'
    'fillers,lips,hyaluronic acid,aesthetics clinic,spray tan,tanning,sunbed,cosmetics,ear piercing,tattoo,tattoo removal'),
  ('spa-wellness',
    'masajear,masaje en pareja,masaje tailandés,masaje balinés,masaje piedras calientes,masaje descontracturante,descontracturante,quiromasajista,'
    'shiatsu,reiki,reflexología,reflexología podal,drenaje linfático,aromaterapia,piedras calientes,ayurveda,termal,baño turco,baño de vapor,'
    'hidromasaje,hidroterapia,circuito termal,circuito spa,circuito hidrotermal,balneoterapia,talasoterapia,chocolaterapia,vinoterapia,flotarium,'
    'piscina climatizada,piscina termal,aguas medicinales,estrés,estresado,estresada,desestresarse,desconectar,descansar cuerpo,relajante,'
    'relajada,tarde de relax,escapada romántica spa,mimarse,darse un capricho spa,regalar masaje,bono masaje,acupuntura,terapias naturales,'
    'holístico,envoltura corporal,exfoliación corporal,masaje de pies,pies cansados,baños termales',
    'massatgistes,massatge en parella,massatge tailandès,massatge pedres calentes,quiromassatge,quiromassatgista,descontracturant,'
    'drenatge limfàtic,pedres calentes,bany turc,bany de vapor,hidromassatge,circuit termal,circuit d''aigües,circuit spa,talassoteràpia,'
    'xocolatateràpia,piscina climatitzada,estressat,estressada,desconnectar,relaxant,tarda de relax,cuidar-se cos,regalar massatge,'
    'teràpies naturals,holístic,massatge de peus,peus cansats,banys termals',
    'day spa,spa hotel,spa break,massages,masseur,massage therapist,massage parlour,couples massage,thai massage,deep tissue,swedish massage,'
    'hot stone,hot stones,reflexology,lymphatic drainage,aromatherapy,foot massage,head massage,full body massage,thermal spa,thermal pools,'
    'thermal waters,turkish bath,arab baths,steam room,steam bath,hot tub,hydrotherapy,heated pool,float tank,stress,stressed,stress relief,'
    'unwind,relaxing,relaxation,switch off relax,pamper,pamper day,treat myself spa,body scrub,body wrap,acupuncture,knots in my back'),
  ('nails',
    'manicurista,manicura rusa,manicura francesa,semipermanente,esmaltado,esmaltado permanente,esmalte semipermanente,pintauñas,quitar esmalte,'
    'polygel,acrigel,uñas postizas,uñas esculpidas,uñas mordidas,morderse las uñas,nail art,limar uñas,cutículas,manos bonitas,manos y pies,'
    'pies bonitos,arreglo de pies,durezas pies,callos pies,talones agrietados,parafina manos,onicofagia,shellac',
    'ungla,saló d''ungles,manicures,manicura russa,ungles acríliques,esmalt,semipermanent,esmaltat,esmaltat permanent,esmalt ungles,pintar ungles,'
    'pintaungles,treure esmalt,ungles postisses,ungles esculpides,ungla trencada,ungles trencades,ungles mossegades,mossegar ungles,'
    'ungles llargues,ungles decorades,llimar ungles,cutícules,mans i peus,mans boniques,peus bonics,arreglar peus,dureses peus,durícies,'
    'ulls de poll,talons clivellats,ungles núvia',
    'nail bar,nail studio,nail technician,nail tech,mani pedi,pedicures,acrylic nails,gel polish,gel manicure,nail polish,nail varnish,'
    'paint my nails,painted nails,french tips,french manicure,russian manicure,dip powder,biab,fake nails,false nails,nail extensions,nail infill,'
    'infills,broken nail,chipped nails,bitten nails,bite my nails,cuticles,cuticle,nail file,toenails,toes done,toes painted,hands and feet,'
    'feet done,rough feet,hard skin feet,calluses,cracked heels,pretty nails,long nails,remove gel'),
  ('education',
    'profesor,profesora,enseñanza,aprendizaje,colegio,alumno',
    'professor,professora,ensenyament,aprenentatge,col·legi,alumne',
    'teacher,teach,teaching,academy,education,training course,student'),
  ('language-schools',
    'escuela de idiomas,clases de idiomas,clases de francés,clases de alemán,clases de italiano,clases de portugués,clases de chino,'
    'clases de japonés,clases de árabe,clases de ruso,clases de español,curso de español,curso de inglés,curso de alemán,curso de italiano,'
    'español para extranjeros,aprender español,aprender italiano,aprender chino,aprender catalán,curso de catalán,curso de euskera,'
    'lengua extranjera,lengua de signos,hablar inglés,hablar francés,conversación inglés,conversación idiomas,intercambio de idiomas,'
    'profesor nativo,bilingüe,gramática inglesa,vocabulario,pronunciación,acento inglés,nivel b1,nivel b2,b1,b2,c1,first certificate,toefl,ielts,'
    'toeic,aptis,dele,delf,título de inglés,certificado de inglés,examen de inglés,inglés niños,inglés empresas,inglés negocios,'
    'campamento de inglés,inmersión lingüística,estudiar en el extranjero,curso en el extranjero,examen cambridge,título cambridge,'
    'aprender portugués,profesora nativa',
    'escola d''idiomes,classes d''idiomes,llengües,classes de francès,classes d''alemany,classes d''italià,classes de portuguès,classes de xinès,'
    'classes de japonès,classes d''àrab,classes de rus,classes de català,classes de castellà,classes d''espanyol,curs de català,curs d''anglès,'
    'curs d''idiomes,curs d''alemany,curs d''italià,aprendre català,aprendre castellà,aprendre francès,aprendre espanyol,català per a estrangers,'
    'llengua estrangera,llengua de signes,parlar anglès,parlar català,conversa anglès,conversa en català,voluntariat lingüístic,'
    'intercanvi d''idiomes,professor nadiu,gramàtica,vocabulari,pronunciació,nivell b1,nivell b2,nivell c1,títol d''anglès,certificat d''anglès,'
    'examen d''anglès,anglès nens,anglès xiquets,anglès empreses,casal d''anglès,immersió lingüística,estudiar a l''estranger,aprendre portuguès,'
    'aprendre anglès nens',
    'language,language academy,language course,language lessons,language exchange,language teacher,spanish lessons,spanish classes,spanish course,'
    'spanish school,spanish teacher,study spanish,improve my spanish,speak spanish,spanish for beginners,catalan lessons,catalan classes,'
    'learn catalan,learn english,learn french,learn german,learn italian,english lessons,english course,english teacher,english academy,'
    'english for kids,business english,french lessons,german lessons,italian lessons,portuguese lessons,chinese lessons,japanese lessons,'
    'arabic lessons,russian lessons,native speaker,native teacher,conversation class,conversation practice,speaking practice,bilingual,grammar,'
    'vocabulary,pronunciation,cambridge exam,sign language,immersion course,study abroad,foreign language,learn mandarin,learn portuguese'),
  ('tutoring',
    'profe,profe particular,profesora particular,clases de repaso,repasar,clases de apoyo,apoyo escolar,ayuda con los deberes,deberes,'
    'academia de repaso,refuerzo,refuerzo educativo,clases de matemáticas,clases de física,física y química,química,álgebra,clases de lengua,'
    'clases de biología,clases de economía,clases de estadística,clases de programación,asignatura,suspender,suspendido,suspenso,suspende,'
    'aprobar examen,aprobar curso,preparar examen,malas notas,sacar buenas notas,recuperar asignatura,selectividad,evau,ebau,'
    'acceso a la universidad,mayores de 25,oposiciones,opositar,opositor,secundaria,bachillerato,bachiller,graduado escolar,formación profesional,'
    'ciclos formativos,técnicas de estudio,pedagogo,pedagoga,psicopedagoga,logopeda,logopedia,dislexia,ayuda hijo colegio,clases mates,'
    'profe mates,suspender mates,deberes primaria,niños primaria,examen pau,asignatura universidad',
    'professora particular,mestre particular,mestra particular,classes de repàs,repassar,classes de reforç,suport escolar,ajuda amb els deures,'
    'deures,acadèmia de repàs,classes de matemàtiques,classes de física,classes de llengua,classes de biologia,classes d''economia,'
    'classes d''estadística,assignatura,assignatures,suspendre,suspès,suspesa,aprovar examen,aprovar curs,males notes,bones notes,'
    'recuperar assignatura,selectivitat,accés a la universitat,majors de 25,oposició,batxillerat,graduat escolar,formació professional,'
    'tècniques d''estudi,pedagog,classes mates,deures primària,nens primària,proves pau',
    'tutoring,private lessons,private classes,private teacher,home tutor,online tutor,after school help,school support,extra lessons,'
    'revision classes,exam revision,exam preparation,exam prep,math tutor,mathematics,calculus,physics,chemistry,biology lessons,science tutor,'
    'statistics tutor,economics tutor,coding classes,subjects,failing school,failed exam,fail exam,pass exam,bad grades,better grades,grades,gcse,'
    'sat prep,university entrance,college prep,primary school,secondary school,high school,study skills,dyslexia,speech therapist,catch up school,'
    'coaching exams,civil service exams,gcse exams,school exams,university exam'),
  ('music-schools',
    'academia de música,profesor de música,profesora de música,conservatorio,solfeo,lenguaje musical,instrumento,instrumento musical,'
    'tocar instrumento,tocar piano,tocar guitarra,pianista,guitarrista,aprender piano,aprender violín,clases de violín,clases de batería,'
    'aprender batería,baterista,guitarra eléctrica,guitarra española,saxofón,saxo,trompeta,trombón,clarinete,oboe,violonchelo,chelo,viola,arpa,'
    'acordeón,ukelele,cajón flamenco,percusión,clases de teclado,armónica,gaita,cantar,aprender cantar,clases de cantar,técnica vocal,'
    'profesor de canto,coro,coral,partitura,banda de música,iniciación musical,musicoterapia,música para bebés,producción musical,'
    'componer canciones,afinar piano,clases de baile,escuela de baile,academia de baile,clases de salsa,clases de bachata,clases de ballet,'
    'escuela de danza,aprender bailar,clases flauta,tocar flauta,flauta travesera,tocar tambor,clases bajo eléctrico',
    'professor de música,professora de música,conservatori,solfeig,llenguatge musical,instrument,instrument musical,tocar instrument,'
    'aprendre piano,aprendre guitarra,aprendre violí,classes de violí,classes de bateria,aprendre bateria,trombó,clarinet,violoncel,acordió,'
    'ukulele,percussió,classes de teclat,harmònica,gralla,sac de gemecs,aprendre cantar,cor de cant,partitures,sensibilització musical,'
    'música per a nadons,classes de ball,escola de ball,acadèmia de ball,classes de ballet,escola de dansa,aprendre ballar,classes flauta,'
    'flauta travessera,tocar dolçaina,tocar tenora,classes baix elèctric',
    'music classes,music teacher,music academy,music theory,sight reading,play an instrument,guitar,drums,cello,flute,saxophone,sax,trumpet,'
    'trombone,harp,accordion,bass guitar,electric guitar,spanish guitar lessons,flamenco guitar lessons,percussion,keyboard lessons,learn piano,'
    'learn violin,learn drums,drum lessons,violin lessons,guitar teacher,piano teacher,play guitar,play piano,sing,singing,singing teacher,'
    'learn to sing,voice coach,vocal coach,choir,sheet music,band practice,rehearsal room,music production,baby music,piano tuning,tune piano,'
    'dance classes,dance lessons,dance school,salsa lessons,learn to dance,music conservatory'),
  ('driving-schools',
    'auto escuela,carnet de conducir,sacar carnet,sacar el carné,carnet de moto,carnet de camión,carnet de autobús,carnet a2,carnet a1,'
    'carnet remolque,permiso de conducción,licencia de conducir,licencia ciclomotor,conducir,conductor novel,aprender conducir,manejar,'
    'aprender manejar,clases de manejo,prácticas de coche,prácticas conducir,clases prácticas coche,examen de conducir,examen teórico,'
    'examen práctico,teórico,examen coche,test dgt,dgt,jefatura de tráfico,código de circulación,normas de tráfico,señales de tráfico,'
    'curso intensivo carnet,puntos del carnet,recuperar puntos,perder puntos carnet,recuperar carnet,renovar carnet,renovar permiso,canje permiso,'
    'psicotécnico,certificado médico carnet,miedo conducir,aparcar aprender,tacógrafo,mercancías peligrosas,carretillero,carnet carretilla',
    'auto escola,autoescoles,permís de conduir,carnet de cotxe,carnet de camió,traure''s el carnet,llicència de conduir,llicència ciclomotor,'
    'conduir,conductor novell,aprendre conduir,aprendre a portar cotxe,pràctiques de cotxe,pràctiques conduir,examen de conduir,examen teòric,'
    'examen pràctic,teòric,examen cotxe,trànsit examen,codi de circulació,normes de trànsit,senyals de trànsit,curs intensiu carnet,'
    'punts del carnet,recuperar punts,perdre punts carnet,renovar permís,bescanvi permís,psicotècnic,certificat mèdic carnet,aparcar aprendre,'
    'tacògraf,mercaderies perilloses,carretoner',
    'driver''s license,drivers licence,driving license,driving permit,driving,drive lessons,learning to drive,learner driver,driving instructor,'
    'driving test,driving exam,driving theory,theory test,theory exam,practical test,road test,driving course,intensive driving,drive a car,'
    'motorcycle licence,motorcycle license,motorbike licence,truck licence,hgv,lorry licence,exchange licence,exchange license,renew licence,'
    'renew license,highway code,traffic signs,road signs,penalty points,points licence,learn to park,parallel parking,scared of driving,'
    'nervous driver,refresher driving,automatic lessons,drivers ed,driver education,forklift licence'),
  ('eventservices',
    'comunión,primera comunión,bautizo,despedida de soltera,despedida de soltero,cumple,fiesta infantil,fiesta sorpresa,fiesta de empresa,'
    'baby shower,organizar fiesta',
    'comunió,primera comunió,bateig,comiat de soltera,comiat de solter,festa infantil,festa sorpresa,festa d''empresa,organitzar festa,'
    'aniversari nens',
    'event planner,party planner,event organiser,event organizer,first communion,communion,christening,baptism,hen party,stag party,bachelorette,'
    'bachelor party,surprise party,kids party,company party,birthday'),
  ('photographers',
    'fotógrafa,fotográfico,estudio fotográfico,estudio de fotografía,tienda de fotos,sesión fotográfica,sesión embarazo,embarazada fotos,'
    'reportaje de boda,reportaje fotográfico,reportaje comunión,retrato familiar,retratista,book de fotos,álbum,álbum de boda,vídeo,vídeo de boda,'
    'grabar vídeo,grabar boda,videógrafo,cámara de fotos,dron,recién nacido,newborn,fotos bebé,foto dni,foto pasaporte,foto tamaño carnet,revelar,'
    'revelado,revelar fotos,revelado carrete,polaroid,fotomatón,photocall,imprimir fotos,ampliaciones fotos,restaurar fotos,fotos antiguas,'
    'fotos comunión,fotos boda,fotos familia,fotos linkedin,foto de perfil,fotos de producto,fotos profesionales,orlas,me caso',
    'fotografies,fotogràfic,estudi fotogràfic,estudi de fotografia,sessió fotogràfica,sessió embaràs,reportatge,reportatge de boda,'
    'reportatge comunió,retrat familiar,fotògraf de bodes,fotògraf de casaments,vídeo de casament,gravar vídeo,gravar boda,videògraf,'
    'càmera de fotos,nadó fotos,nounat,foto passaport,foto mida carnet,revelatge,revelat,rodet de fotos,fotomató,fotos antigues,fotos comunió,'
    'fotos de producte,fotos professionals',
    'photograph,picture,pictures,pics,take pictures,photo session,photoshoot,photo shoot,photo shop,family portrait,family photos,baby photos,'
    'newborn shoot,maternity shoot,pregnancy photos,engagement shoot,couple photos,wedding photos,wedding photography,wedding video,headshot,'
    'linkedin photo,profile picture,passport picture,visa photo,id photo,videographer,videography,film a wedding,drone,drone footage,photo album,'
    'film roll,develop film,film developing,photo printing,print photos,enlarge photos,photo booth,product photography,professional photos,'
    'holiday photos'),
  ('weddings',
    'organizadora de bodas,organizador de bodas,nupcial,nupcias,ceremonia,ceremonia civil,maestro de ceremonias,contraer matrimonio,'
    'vestido de novia,traje de novio,tienda de novias,futuros novios,tocado de novia,pedida de mano,pedir matrimonio,anillo de compromiso,'
    'prometida,prometido,alianzas,luna de miel,bodas de plata,bodas de oro,aniversario de boda,finca para bodas,decoración de bodas,'
    'invitaciones de boda,lista de bodas,banquete de boda,damas de honor,casamiento,renovar votos,boda playa,boda civil,dj boda,caso,casarme,'
    'nos casamos',
    'organitzadora de casaments,organització de bodes,noces,cerimònia,cerimònia civil,mestre de cerimònies,vestit de núvia,vestit de nuvi,'
    'botiga de núvies,núvia,nuvi,promesa casament,anell de compromís,anell de prometatge,prometatge,demanar matrimoni,aliances,lluna de mel,'
    'viatge de noces,noces d''argent,aniversari de casament,masia casaments,decoració casament,llista de noces,banquet de boda,dames d''honor,'
    'casament civil,casament platja,dj casament,ens casem',
    'wedding planning,wedding organiser,wedding organizer,wedding venue,wedding dress,bridal,bridal shop,bride,brides,bridesmaids,fiance,fiancee,'
    'engaged,engagement,engagement ring,wedding rings,propose marriage,marriage,marry,elope,elopement,civil ceremony,ceremony,vows,renew vows,'
    'honeymoon,wedding anniversary,wedding reception,wedding decoration,wedding invitations,wedding cake,wedding dj,beach wedding,'
    'destination wedding,nuptials'),
  ('catering',
    'banquete,servicio de catering,empresa de catering,canapés,canapé,coffee break,picoteo fiesta,picoteo cumpleaños,bandejas de comida,'
    'bandeja canapés,chef a domicilio,chef privado,chef particular,cocinero a domicilio,cocinero privado,cocinero fiesta,camareros evento,'
    'camareros fiesta,paella a domicilio,paella gigante,paella para grupos,barbacoa a domicilio,food truck,comida fiesta,comida boda,'
    'comida comunión,comida bautizo,comida cumpleaños,comida empresa,comida oficina,comida para muchos,comida por encargo,encargar comida,'
    'comida para llevar,comida preparada,comida casera a domicilio,platos preparados,reparto de comida,traer comida casa,cóctel de bienvenida,'
    'cóctel empresa,barra libre evento,mesa dulce,candy bar,cortador de jamón,alquiler de vajilla,mantelería,desayunos empresa,buffet fiesta,'
    'buffet evento,buffet boda,alquiler menaje,invitados,dar comer invitados,comida invitados,banquete boda,cóctel boda,me caso',
    'servei de càtering,piscolabis,safates de menjar,xef a domicili,xef privat,cuiner a domicili,cuiner privat,cambrers esdeveniment,'
    'cambrers festa,paella a domicili,paella gegant,paella per a grups,barbacoa a domicili,menjar festa,menjar casament,menjar comunió,'
    'menjar bateig,menjar aniversari,menjar empresa,menjar oficina,menjar per encàrrec,encarregar menjar,menjar per emportar,menjar preparat,'
    'menjar a domicili,plats preparats,plats cuinats,rostisseria,bufet lliure festa,còctel de benvinguda,aperitiu festa,barra lliure,taula dolça,'
    'tallador de pernil,lloguer de vaixella,bufet festa,bufet esdeveniment,bufet casament',
    'catered,catering service,catering company,finger food,finger buffet,party food,wedding food,wedding catering,birthday food,office lunch,'
    'office catering,corporate catering,business lunch catering,food platters,platters,sandwich platter,private chef,personal chef,hire a chef,'
    'chef at home,cook for party,waiters for party,waiting staff,bartender hire,open bar event,bbq catering,paella catering,paella party,'
    'food delivery,deliver food,take away food,food for 50 people,ready meals,feed guests,dessert table,tableware hire,crockery hire,'
    'welcome drinks,buffet party,buffet event,getting married'),
  ('financialservices',
    'financiero,financiera,dinero,asesor financiero,economía personal',
    'financer,financera,assessor financer',
    'financial,financial advisor,financial adviser,financial services,money advice'),
  ('insurance',
    'asegurar,asegurado,asegurarse,corredor de seguros,corredora de seguros,mediador de seguros,agente de seguros,compañía de seguros,póliza,'
    'prima seguro,siniestro,parte de accidente,dar parte,parte amistoso,perito,peritaje,indemnización,a terceros coche,seguro moto,seguro de vida,'
    'seguro dental,seguro mascotas,seguro viaje,seguro decesos,decesos,seguro de salud,seguro comunidad,seguro alquiler,seguro impago,'
    'impago alquiler,seguro autónomos,responsabilidad civil,mutua,mutualidad,asegurar coche,asegurar casa,asegurar moto,cambiar de seguro,'
    'comparar seguros,asistencia en carretera,accidente coche,robo en casa,daños por agua,plan de pensiones,ahorro jubilación,mapfre',
    'assegurador,asseguradora,assegurar,assegurat,corredor d''assegurances,corredora d''assegurances,mediador d''assegurances,'
    'agent d''assegurances,companyia d''assegurances,sinistre,sinistres,comunicat d''accident,donar part,indemnització,tot risc,a tercers cotxe,'
    'assegurança de llar,assegurança mèdica,assegurança de vida,assegurança moto,assegurança dental,assegurança viatge,assegurança decessos,'
    'decessos,assegurança salut,assegurança negoci,assegurança comunitat,impagament lloguer,responsabilitat civil,mutualitat,assegurar cotxe,'
    'assegurar casa,canviar d''assegurança,assistència en carretera,accident cotxe,robatori a casa,danys per aigua,pla de pensions,'
    'estalvi jubilació',
    'insure,insured,insurance broker,insurance agent,insurance company,insurance quote,insurance policy,policy,policies,premium insurance,claim,'
    'insurance claim,underwriter,liability insurance,third party,fully comprehensive,health insurance,medical insurance,life insurance,'
    'travel insurance,pet insurance,dental insurance,motorbike insurance,contents insurance,business insurance,funeral plan,funeral insurance,'
    'visa insurance,insure my car,insure house,renters insurance,tenant insurance,loss adjuster,compensation accident,car accident,water damage,'
    'private healthcare,private cover'),
  ('tax-advisors',
    'asesoría,asesor,asesora,asesora fiscal,gestora,gestoría administrativa,gestor autónomos,fiscalista,fiscal,economista,auditor,auditoría,'
    'contables,asesoría contable,asesoría laboral,laboral,graduado social,hacienda,agencia tributaria,carta de hacienda,inspección hacienda,'
    'devolución hacienda,multa hacienda,tributario,declaración,declarar,declaración trimestral,borrador renta,campaña renta,iva,irpf,modelo 303,'
    'modelo 130,modelo 720,modelo 210,trimestre,trimestral,factura,facturar,facturación,factura electrónica,verifactu,autónoma,alta autónomo,'
    'baja autónomo,cuota autónomo,freelance,emprender,emprendedor,crear empresa,montar empresa,constituir sociedad,sociedad limitada,crear sl,'
    'pyme,pymes,nómina,contratar empleado,contratar trabajador,finiquito,seguridad social,plusvalía,impuesto sucesiones,deducción,desgravar,nie,'
    'certificado digital,firma digital,papeleo,trámite,trámites,subvención,cambio de nombre coche,transferencia vehículo,matricular coche,'
    'cuentas anuales,registro mercantil,contabilizar,ley beckham,arreglar papeles',
    'assessoria,assessories,assessor,assessora,assessora fiscal,gestories,comptables,comptabilitat,assessoria comptable,assessoria laboral,'
    'graduat social,hisenda,carta d''hisenda,inspecció hisenda,devolució hisenda,tributari,tributs,impost,declaració de la renda,declaració,'
    'esborrany renda,campanya renda,igi,model 303,model 130,factures,facturació,alta autònom,baixa autònom,quota autònom,emprendre,emprenedor,'
    'muntar empresa,muntar negoci,obrir negoci,constituir societat,societat limitada,pime,pimes,nòmines,contractar treballador,quitança,'
    'seguretat social,plusvàlua,impost successions,deducció,certificat digital,signatura digital,paperassa,subvenció,canvi de nom cotxe,'
    'matricular cotxe,comptes anuals,registre mercantil,arreglar papers,llei beckham',
    'tax adviser,tax consultant,tax accountant,tax lawyer,tax office,tax filing,file taxes,taxman,tax declaration,income tax,tax refund,'
    'tax letter,wealth tax,property tax,inheritance tax,capital gains,non resident tax,non-resident,expat tax,beckham law,accountancy,accounting,'
    'accounts,bookkeeper,cpa,chartered accountant,audit,vat,vat return,quarterly return,quarterly,invoice,invoices,invoicing,self employed,'
    'freelancer,sole trader,register business,start a business,start a company,set up company,company formation,limited company,incorporation,'
    'payroll,payslip,hire employee,social security,paperwork,red tape,nie number,digital certificate,deductions,deductible,annual accounts,'
    'car registration,register car,small business advice'),
  ('food',
    'supermercado,súper,tienda de alimentación,comestibles,comprar comida,mercado,algo rico',
    'supermercat,botiga d''alimentació,queviures,comprar menjar,mercat',
    'supermarket,grocery,grocery store,food shop,food store,food market,buy food'),
  ('bakeries',
    'panadero,panadera,panecillo,pastelero,pastelera,confitería,confitero,repostero,repostera,obrador,tahona,pan recién hecho,pan caliente,'
    'barra de pan,hogaza,baguette,chapata,mollete,molletes,pan de molde,pan integral,pan sin gluten,pan de pueblo,pan rallado,masa madre,harina,'
    'levadura,brioche,cruasán,croissant,bollo,palmera de chocolate,ensaimada,magdalenas,muffins,donut,rosquillas,churros,hojaldre,milhojas,'
    'bizcocho,galleta,tarta de queso,tarta de chocolate,tarta personalizada,tarta fondant,tarta boda,tarta infantil,pastel de cumpleaños,'
    'pastelitos,cupcake,cupcakes,macarons,profiteroles,chocolate,dulce,dulces,algo dulce,goloso,golosa,postre,postres,roscón,roscón de reyes,'
    'turrón,polvorones,mazapán,mantecados,torrijas,buñuelos,pestiños,huesos de santo,mona de pascua,empanada,empanadillas,coca salada,'
    'brazo de gitano,pan para celíacos,caja bombones,bombones chocolate,trufas chocolate,napolitana chocolate,torta,torta cumpleaños,'
    'torta quinceañera,tarta quinceañero,pan dulce,facturas dulces',
    'forner,fornera,forn de pa,flequer,flequera,fleques,panet,pa acabat de fer,pa calent,barra de pa,pa de pagès,pa de motlle,pa integral,'
    'pa sense gluten,pa ratllat,llonguet,xapata,baguet,rosca de pa,massa mare,pastisser,pastissera,pastisseries,rebosteria,brioix,brioixos,'
    'canya de xocolata,xuixo,ensaïmades,magdalenes,rosquilles,rosquilletes,bunyols,xurros,pasta de full,milfulls,pa de pessic,galetes,'
    'carquinyolis,rosegons,pastís,pastissets,pastís de formatge,pastís de xocolata,pastís personalitzat,pastís nupcial,mona de pasqua,'
    'tortell de reis,braç de gitano,coca de sant joan,coca de recapte,coca de vidre,coca de llardons,coca amb tonyina,coques,panellets,crespells,'
    'robiols,cocarrois,panades,panada,quarto embatumat,bescuit,fartons,rotllets,pastissos d''aniversari,torrons,neules,xocolata,dolç,dolços,'
    'alguna cosa dolça,llaminer,llaminera,caixa bombons,tortell nata,tortada ametla,trufes xocolata,pagès,coca',
    'bakeries,baguettes,loaf,loaves,bread roll,sourdough,fresh bread,wholemeal bread,gluten free bread,rye bread,buns,pastries,patisserie,'
    'pastry shop,pastry chef,cake,cake shop,cakes to order,custom cake,cheesecake,chocolate cake,wedding cake,kids cake,doughnut,cookies,cookie,'
    'biscuits,brownies,brownie,puff pastry,tart,tartlets,sponge cake,birthday cakes,sweets,sweet treats,sweet tooth,dessert,confectionery,'
    'confectioner,chocolates,nougat,marzipan,king cake,easter cake,christmas cake,flour,yeast,bake,baked,baking,bagel,apple pie,meat pie,'
    'chocolate truffles'),
  ('coffee',
    'cafelito,cafetito,cafecito,cafés,café con leche,café para llevar,café de especialidad,café en grano,descafeinado,cafeína,capuchino,'
    'cappuccino,expreso,espresso,latte,macchiato,mocca,carajillo,asiático café,flat white,barista,tostador café,cápsulas de café,infusión,tila,'
    'poleo,té matcha,matcha,chai,rooibos,chocolate caliente,chocolate a la taza,chocolate con churros,churros,churrería,chocolatería,colacao,'
    'tostada,pan con tomate,zumo,zumo de naranja,smoothie,smoothies,brunch,tortitas,croissant,merendola,merendero café,trabajar con portátil,'
    'wifi trabajar,quedar café,charlar café,despertarse café,bubble tea,kombucha,cafetín,batido chocolate,batido frutas,chocolate porras',
    'cafetó,cafeteries,cafè amb llet,cafè per emportar,cafè d''especialitat,cafè en gra,descafeïnat,caputxino,cigaló,barreja cafè,'
    'càpsules de cafè,infusió,til·la,xocolata calenta,xocolata desfeta,xocolata amb xurros,xocolateria,suís,melindros,xurros,xurreria,cacaolat,'
    'pa amb tomàquet,suc,suc de taronja,desdejunar,desdejuni,treballar amb portàtil,wifi treballar,xerrar cafè,batut xocolata,batut maduixa,'
    'torrades esmorzar',
    'coffees,coffee house,coffee bar,specialty coffee,speciality coffee,coffee to go,takeaway coffee,iced coffee,coffee beans,lattes,mocha,'
    'americano coffee,cold brew,decaf,caffeine,roastery,roaster,cuppa,tea house,tearoom,tea shop,herbal tea,green tea,afternoon tea,boba,'
    'hot chocolate,brekkie,full english,pancakes,toast,avocado toast,orange juice,juice,juices,scones,bagel,laptop friendly,work from cafe,'
    'wifi work,place to work laptop,catch up coffee,teapot,internet cafe'),
  ('ice-cream',
    'heladero,heladera,heladito,cucurucho,tarrina,cono helado,barquillo,bola de helado,sorbete,sorbetes,granizada,granizado de limón,horchatería,'
    'chufa,fartons,leche merengada,leche preparada,agua limón,yogur helado,frozen yogurt,helado artesano,helado casero,helado vegano,tarta helada,'
    'polo de hielo,stracciatella,turrón helado,milkshake,copa de helado,banana split,gofre,gofres,crepe,crepes,postre frío,algo fresquito,'
    'algo frío dulce,antojo dulce,postre,slush,batido chocolate,batido fresa,batido vainilla',
    'gelateries,gelater,gelatet,gelats artesans,cucurutxo,bola de gelat,boles de gelat,granissat,granissada,granissat de llimona,orxateria,'
    'orxateries,xufa,xufes,llet merengada,llet preparada,aigua llimó,aigua civada,iogurt gelat,gelat artesà,gelat vegà,pastís gelat,pol de gel,'
    'copa de gelat,postres fredes,alguna cosa fresca,postres,batut xocolata,batut maduixa,batut vainilla',
    'icecream,ice cream parlour,ice cream parlor,ice cream shop,ice cream van,artisan ice cream,vegan ice cream,homemade ice cream,cone,cones,'
    'scoop,tub of ice cream,sundae,sundaes,granita,slushie,slushy,frozen yoghurt,froyo,popsicle,popsicles,ice lolly,ice lollies,lolly,soft serve,'
    'milkshakes,tiger nut milk,tiger nuts,waffle,waffles,cold dessert,frozen dessert,dessert,sweet treat,cool down treat'),
  ('delicatessen',
    'delicatessen,delicatesen,tienda gourmet,charcutero,charcutera,quesero,queso curado,queso de cabra,queso fresco,tabla de quesos,manchego,'
    'roquefort,brie,jamonería,jamón ibérico,jamón serrano,jamón de york,pata de jamón,bellota,lomo embuchado,cecina,chorizo,salchichón,fuet,'
    'longaniza,morcilla,butifarra,sobrasada,mortadela,fiambre,fiambres,salchicha,panceta,paté,patés,foie,foie gras,anchoas,conservas,'
    'latas gourmet,bacalao salado,mojama,salazones,ahumados,salmón ahumado,aceite de oliva,aceitunas,encurtidos,azafrán,pimentón,especias,'
    'frutos secos,legumbres,trufa negra,productos típicos,productos artesanos,cesta de navidad,cesta gourmet,lote navidad,tienda de comestibles,'
    'mantequería,carnicería,carnicero,carnicera,loncha,miel artesana,miel romero,tarro miel,paletilla ibérica',
    'botiga gourmet,xarcuter,xarcutera,xarcuteries,formatgeries,formatger,formatgera,formatge,formatge curat,formatge de cabra,formatge de tupí,'
    'formatge fresc,taula de formatges,pernil,pernil salat,pernil dolç,pernil ibèric,pernil de gla,ibèrics,cuixot,cuixa de pernil,xoriç,xoriço,'
    'espetec,llonganissa,llonganisses,secallona,botifarra,botifarres,botifarró,bull blanc,bull negre,blanquet,donja,bringuera,sobrassada,'
    'sobrassades,camaiot,cansalada,cansalader,cansaladeria,salsitxes,anxoves,anxova,seitons,bacallà,bacallaneria,pesca salada,moixama,salaons,'
    'salmó fumat,oli d''oliva,envinagrats,safrà,pebre roig,fruits secs,llegums cuits,llegums,tòfona,productes típics,productes de la terra,'
    'productes locals,productes artesans,quilòmetre zero,cistella de nadal,lot de nadal,panera de nadal,queviures,ultramarins,carnisseria,'
    'carnisser,carnissera,talls de pernil,mel artesana,mel romaní,pot mel,olives farcides,peix fumat,conserves peix,espècies cuina',
    'gourmet shop,fine foods,cheeses,cheese shop,cheesemonger,cheese board,goat cheese,charcuterie,charcuterie board,cured meat,cured ham,'
    'iberian ham,serrano ham,salami,sausage,sausages,black pudding,anchovies,tinned fish,canned seafood,smoked salmon,salt cod,olives,olive oil,'
    'pickles,saffron,paprika,spices,nuts,truffle oil,local food products,typical products,food souvenirs,food gifts,hamper,gift basket,'
    'christmas hamper,artisan food,butcher,sliced meat,sliced ham,specialty foods,speciality foods,jar honey'),
  ('health',
    'doctora,ambulatorio,enfermera,enfermero,pediatra,ginecólogo,dermatólogo,fiebre,gripe,cita médica,urgencias médicas',
    'metges,ambulatori,infermera,infermer,ginecòleg,dermatòleg,febre,urgències mèdiques',
    'medic,gp,emergency room,nurse,paediatrician,pediatrician,gynaecologist,gynecologist,dermatologist,fever,flu'),
  ('dentists',
    'odontóloga,ortodoncista,endodoncista,periodoncista,implantólogo,higienista dental,protésico dental,odontopediatra,dentista infantil,'
    'dentista urgencias,urgencia dental,sacamuelas,diente,dientes torcidos,dientes amarillos,dientes blancos,diente roto,diente partido,'
    'dientes separados,diente se mueve,caído diente,me falta un diente,muela del juicio,cordales,muela picada,muela rota,duele muela,'
    'duelen muelas,duelen dientes,duele diente,duele boca,dolor boca,dolor dientes,dolor encía,duelen encías,encía,sangran encías,'
    'encías inflamadas,gingivitis,periodontitis,piorrea,flemón,infección boca,infección muela,absceso,cara hinchada,sensibilidad dental,'
    'mal aliento,halitosis,sarro,placa dental,limpieza de dientes,limpiar dientes,limpieza bucal,higiene dental,higiene bucal,bucodental,bucal,'
    'revisión dental,empastes,empastar,se ha caído el empaste,sacar diente,quitar muela,extracción muela,extracción dental,matar nervio,'
    'nervio muela,corona dental,funda dental,funda muela,puente dental,prótesis dental,dentadura,dentadura postiza,dientes postizos,implante,'
    'implante dental,implantes,implantología,carillas,blanqueamiento,blanquear dientes,blanquearse los dientes,ortodoncia invisible,invisalign,'
    'alineadores,aparato dientes,aparato dental,alinear dientes,retenedor,férula,férula de descarga,bruxismo,rechinar dientes,apretar dientes,'
    'mandíbula,sonrisa,diseño de sonrisa,hilo dental,cepillo de dientes,dentición,dientes de leche,ronquidos férula,anestesia dental,'
    'miedo dentista,maxilofacial,ortopantomografía,radiografía dental',
    'clíniques dentals,implantòleg,protètic dental,odontopediatre,dentista urgències,dents tortes,dents grogues,dents blanques,dent trencada,'
    'dents separades,dent es mou,caigut dent,em falta una dent,queixal del seny,queixal picat,queixal trencat,queixal corcat,'
    'queixal de l''enteniment,dolor queixal,dolor dents,mal dents,mal boca,mal geniva,sagnen genives,genives inflamades,flegmó,infecció boca,'
    'infecció queixal,abscés,cara inflada,sensibilitat dental,mal alè,tosca dental,neteja dents,neteja de boca,neteja bucal,netejar dents,'
    'revisió dental,caigut empastament,treure queixal,arrencar queixal,extreure queixal,traure queixal,extracció queixal,treure dent,matar nervi,'
    'nervi queixal,endodòncies,pont dental,dentadura postissa,dents postisses,caretes dentals,blanquejament,blanquejar dents,'
    'arreglar-se les dents,aparell dents,aparells dentals,alinear dents,retenidor,fèrula de descàrrega,bruxisme,serrar dents,somriure,'
    'disseny de somriure,fil dental,raspall de dents,dents de llet,maxil·lofacial,geniva inflamada,geniva sang,genives sang',
    'dental surgery,dental practice,dental office,dental care,dental check-up,dental checkup,dental emergency,emergency dentist,kids dentist,'
    'children''s dentist,paediatric dentist,pediatric dentist,orthodontics,orthodontist braces,endodontist,periodontist,dental hygienist,'
    'hygienist,oral surgeon,oral hygiene,denturist,teeth,tooth pain,tooth hurts,teeth hurt,sore tooth,sore teeth,sensitive teeth,'
    'tooth sensitivity,broken tooth,broke a tooth,cracked tooth,chipped tooth,loose tooth,lost a tooth,missing tooth,tooth fell out,'
    'knocked out tooth,rotten tooth,tooth decay,cavity,cavities,filling fell out,lost filling,crown fell out,dental crown,tooth crown,'
    'dental bridge,veneer,denture,dentures,false teeth,root canal,nerve pain tooth,abscess,gum,bleeding gums,swollen gum,gum disease,swollen face,'
    'mouth pain,mouth hurts,bad breath,plaque,tartar,clean my teeth,scale and polish,whitening,whiten my teeth,whiter teeth,white teeth,'
    'yellow teeth,bleaching teeth,crooked teeth,straighten teeth,straight teeth,teeth straightening,aligners,clear aligners,brace,retainer,'
    'mouth guard,night guard,teeth grinding,grind my teeth,bruxism,jaw pain,jaw,molar,wisdom tooth,wisdom teeth,tooth extraction,tooth out,'
    'tooth removed,pull a tooth,tooth pulled,smile,smile makeover,floss,baby teeth,milk teeth,dental x-ray,scared of the dentist'),
  ('physical-therapy',
    'fisioterapéutico,quiropráctico,quiropráctica,kinesiólogo,kinesiología,readaptador,masaje terapéutico,masaje descontracturante,terapia manual,'
    'cuello,duele cuello,dolor cuello,duele espalda,espalda,espalda baja,espalda bloqueada,enganchado espalda,cervical,lumbar,lumbago,lumbalgia,'
    'ciática,nervio ciático,hernia discal,hernia,tortícolis,pinzamiento,escoliosis,mala postura,postura,vértebras,rodilla,dolor rodilla,'
    'duele rodilla,duelen rodillas,menisco,ligamento,duele hombro,dolor hombro,manguito rotador,codo de tenista,duele codo,duele muñeca,'
    'dolor muñeca,túnel carpiano,cadera,duele cadera,tobillo,duele tobillo,torcido tobillo,torcedura,esguince,esguinces,duele pie,dolor pie,'
    'duelen pies,fascitis,fascitis plantar,espolón,duele pierna,duelen piernas,gemelos cargados,piernas cargadas,sobrecarga muscular,duele brazo,'
    'dolor brazo,duele cuerpo,dolor cuerpo,duele mano,dolor mano,duele cabeza cuello,duele pecho costilla,migraña,jaqueca,dolor cabeza,'
    'duele cabeza,vértigos,dolor muscular,músculo,muscular,agujetas,tirón,tirón muscular,rotura de fibras,rotura fibrilar,tendinitis,tendón,'
    'artrosis,artritis,bursitis,contracturado,contracturada,nudos espalda,agarrotado,rígido cuello,crujir espalda,lesión,lesionado,lesionada,'
    'lesionarse,lesión deportiva,recuperación lesión,recuperarse operación,recuperación operación,posparto,diástasis,incontinencia,punción seca,'
    'electroterapia,kinesiotape,vendaje,ondas de choque,drenaje linfático,acupuntura,fibromialgia,ictus,fractura,caída duele,dolor crónico,'
    'neurológica,hombro congelado,mandíbula,hombro lesión,hombro dislocado,dolor codo,dolor cadera,dolor articulaciones,duelen articulaciones,'
    'calambre pierna,calambres piernas,calambre muscular,desgarro muscular,nervio pinzado,dolor tobillo,duelen brazos,duelen manos,duele costado',
    'fisioterapeutes,osteòpates,quiropràctic,kinesiòleg,massatge terapèutic,massatge descontracturant,mal coll,dolor coll,dolor esquena,esquena,'
    'esquena baixa,esquena bloquejada,enganxat esquena,nervi ciàtic,columna vertebral,vèrtebres,genoll,mal genoll,dolor genoll,lligament,'
    'mal espatlla,dolor espatlla,muscle adolorit,mal muscle,colze,colze de tennista,mal colze,mal canell,dolor canell,túnel carpià,maluc,'
    'mal maluc,turmell,mal turmell,torçat turmell,esquinç,esquinços,mal peu,esperó taló,mal cama,mal cames,cames carregades,bessons carregats,'
    'mal braç,mal cos,costelles adolorides,migranya,migranyes,vertígens,múscul,agulletes,rampa muscular,estrebada muscular,trencament fibres,'
    'trencament fibril·lar,articulació,articulacions,contracturat,nusos esquena,encarcarat,rígid coll,lesió,lesionat,recuperació lesió,'
    'recuperar-se operació,postpart,punció seca,embenat,ones de xoc,drenatge limfàtic,dolor crònic,adolorit,adolorida,coll bloquejat,'
    'espatlla lesió,espatlla dislocada,dolor colze,dolor maluc,dolor turmell,dolor peu,dolor cama,dolor braç,mal mans,mal braços,'
    'mal articulacions,nervi pinçat,rampa cama,tendó inflamat,menisc genoll',
    'physiotherapy,physio clinic,osteopathy,chiropractor,chiropractic,rehabilitation,manual therapy,sports therapist,sports injury,'
    'deep tissue massage,neck,neck pain,neck hurts,sore neck,stiff neck,crick neck,back hurts,bad back,sore back,back ache,backache,lower back,'
    'lower back pain,upper back,my back is stuck,back locked,back went out,threw out my back,slipped disc,herniated disc,spine,spinal,sciatica,'
    'sciatic nerve,scoliosis,posture,poor posture,knee,knees,knee pain,knee hurts,meniscus,ligament,acl,shoulder,shoulder pain,shoulder hurts,'
    'frozen shoulder,rotator cuff,elbow,elbow pain,tennis elbow,wrist,wrist pain,carpal tunnel,hips,hip pain,ankle,ankles,ankle pain,sprained,'
    'sprain,sprained ankle,twisted ankle,twisted my knee,rolled my ankle,foot pain,foot hurts,feet hurt,sore feet,heel pain,plantar fasciitis,'
    'leg pain,leg hurts,arm pain,arm hurts,body aches,aching body,everything hurts,joint pain,headache,headaches,head hurts,migraine,migraines,'
    'muscle,muscle pain,muscles sore,aching muscles,pulled muscle,torn muscle,hamstring,calf pain,calf strain,cramp,muscle spasm,tight muscles,'
    'muscle knots,tendonitis,arthritis,osteoarthritis,stiff,stiffness,injury,injured,running injury,after surgery recovery,recovery surgery,'
    'pelvic floor,postnatal,incontinence,dry needling,cupping,kinesio tape,shockwave,ultrasound therapy,lymphatic drainage,acupuncture,'
    'fibromyalgia,stroke recovery,fracture,chronic pain,jaw pain,muscle joint pain,hip hurts,wrist hurts,elbow hurts,ankle hurts,hands hurt,'
    'muscle injury'),
  ('psychologists',
    'psicólogo infantil,psicóloga infantil,psico,psicoterapia,psicoterapeuta,psicoanalista,psicoanálisis,psiquiatra,psiquiatría,neuropsicólogo,'
    'gabinete psicológico,ayuda psicológica,apoyo psicológico,psicológico,salud mental,mental,coach personal,coaching,terapia familiar,'
    'terapia infantil,terapia online,consejero de pareja,problemas de pareja,crisis de pareja,separación pareja,ruptura pareja,desamor,'
    'infidelidad,celos,ansioso,ansiosa,ataque de ansiedad,ataque de pánico,ataques de pánico,pánico,angustia,agobio,agobiado,agobiada,estrés,'
    'estresado,estresada,burnout,deprimido,deprimida,depre,triste,tristeza,llorar,ganas de llorar,apatía,bajón emocional,me siento solo,'
    'autoestima,inseguridad,timidez,miedo volar,fobia,obsesión,obsesivo,tdah,hiperactividad,hiperactivo,autismo,trastorno,bipolar,trauma,emdr,'
    'insomnio,pesadillas,superar duelo,superar muerte,pérdida familiar,adicción,ludopatía,dejar de fumar,anorexia,bulimia,trastorno alimentario,'
    'atracones,acoso escolar,bullying,maltrato,emociones,emocional,sexólogo,sexóloga,sexología,terapia sexual,hipnosis,mindfulness,'
    'crisis existencial,desahogarse,conducta niño,rabietas,ira control,problema alcohol,dejar alcohol,dejar beber,ayuda emocional',
    'psicòlogues,psicòleg infantil,psiquiatre,neuropsicòleg,gabinet psicològic,ajuda psicològica,suport psicològic,psicològic,salut mental,'
    'teràpies,problemes de parella,crisi de parella,ruptura parella,separació parella,infidelitat,depressió,ansiós,atac d''ansietat,atac de pànic,'
    'pànic,angoixat,angoixada,atabalat,atabalada,estressat,estressada,deprimit,trist,trista,tristesa,plorar,ganes de plorar,soledat,em sento sol,'
    'parlar amb algú,inseguretat,timidesa,fòbies,obsessió,obsessiu,hiperactivitat,hiperactiu,trastorn,traumes,insomni,malsons,dol familiar,'
    'superar dol,superar mort,addicció,addiccions,deixar de fumar,trastorn alimentari,assetjament escolar,maltractament,sexòleg,conducta nen,'
    'rebequeries,deixar alcohol,deixar beure,gelosia parella,suport emocional',
    'child psychologist,psychotherapy,psychotherapist,shrink,psychoanalyst,psychiatrist,psychiatry,counselor,counseling,mental health,'
    'emotional support,emotions,emotional,talk therapy,english speaking therapist,online therapy,marriage counselling,marriage counseling,'
    'marriage counsellor,marriage problems,relationship problems,relationship advice,relationship counselling,couples counselling,'
    'couples counseling,family therapy,breakup,broken heart,heartbroken,jealousy,cheating partner,anxious,anxiety attack,panic attack,overwhelmed,'
    'stress,stressed,depression,depressed,feeling down,feeling low,sad,sadness,crying,cry,lonely,loneliness,hopeless,self esteem,'
    'confidence issues,shyness,phobia,fear of flying,fears,ocd,adhd,autism,disorder,ptsd,cbt,cognitive behavioural therapy,insomnia,nightmares,'
    'grief,grieving,bereavement,addiction,gambling addiction,quit smoking,stop smoking,eating disorder,binge eating,abuse,anger management,anger,'
    'sex therapist,sexologist,hypnosis,hypnotherapy,life coach,mood swings,child behaviour,drinking problem,alcohol problem,stop drinking'),
  ('opticians',
    'óptico,óptica optometrista,optometrista,optometría,oftalmólogo,oftalmóloga,oftalmología,contactólogo,gafitas,gafas de sol,gafas graduadas,'
    'gafas progresivas,gafas de ver,gafas para leer,gafas rotas,gafas torcidas,gafas niño,anteojos,espejuelos,antiparras,lentillas de colores,'
    'progresivas,progresivos,bifocales,cristales graduados,cristales gafas,montura,patilla gafas,plaquetas gafas,tornillo gafas,arreglar gafas,'
    'ajustar gafas,graduarme la vista,dioptrías,miopía,miope,astigmatismo,hipermetropía,presbicia,vista cansada,vista borrosa,borroso,borrosa,'
    'veo borroso,veo mal,veo doble,letra pequeña,examen visual,visión,agudeza visual,terapia visual,daltónico,daltonismo,ojo,ojo seco,ojo vago,'
    'ojos cansados,ojo rojo,cataratas,glaucoma,tensión ocular,ocular,retina,bizco,estrabismo,ray ban,polarizadas,audífono,audiología,'
    'audioprotesista,audiometría,sordo,sordera,oigo mal,oír mal,prueba de audición,lentes graduados,lentes sol,graduar gafas,lentes,veo bien,'
    'ver lejos,no veo',
    'òptiques,òptic,oftalmòleg,ulleres de sol,ulleres graduades,ulleres progressives,ulleres de veure,ulleres per llegir,ulleres trencades,'
    'ulleres tortes,ulleres nen,lentilles de colors,progressives,progressius,vidres graduats,vidres ulleres,muntura,muntures,cargol ulleres,'
    'arreglar ulleres,ajustar ulleres,diòptries,miop,astigmatisme,borrós,veig borrós,veig malament,hi veig doble,lletra petita,visió,'
    'agudesa visual,daltònic,daltonisme,ull,ull sec,ull gandul,ulls cansats,ull vermell,ull roig,cataractes,tensió ocular,guenyo,estrabisme,'
    'polaritzades,audiòfon,audífon,sord,sordesa,prova d''audició,graduar ulleres,no veig',
    'optometry,ophthalmologist,oculist,eye doctor,eye clinic,eye exam,eye examination,eye check,eye checkup,eyes checked,eyes tested,eyesight,'
    'eyesight test,sight test,vision test,blurry,blurred,blurry vision,blurred vision,double vision,short sighted,shortsighted,nearsighted,'
    'long sighted,longsighted,farsighted,myopia,astigmatism,presbyopia,colour blind,color blind,dry eye,red eye,sore eyes,itchy eyes,tired eyes,'
    'lazy eye,spectacles,specs,eyeglasses,eyewear,sunglasses,prescription glasses,prescription sunglasses,reading glasses,varifocals,'
    'progressive lenses,lenses,lens,contact lens,contact lens solution,eyeglass frames,broken glasses,broke my glasses,fix my glasses,'
    'bent glasses,sat on my glasses,lost my glasses,kids glasses,polarized,polarised,blue light glasses,hearing aid,hearing test,hearing loss,'
    'hearing,audiologist,deaf,glasses frames'),
  ('homeservices',
    'manitas,chapuzas,albañilería,bricolaje,alicatar,azulejos,pladur,pintar casa,pintar paredes,reparaciones casa,arreglos casa',
    'manetes,picapedrer,enrajolar,rajoles,bricolatge,pintar parets,arranjaments casa',
    'home repairs,odd jobs,diy,tiling,plastering,decorator,paint walls,paint house,remodelling,remodeling,refurbishment,bricklayer'),
  ('plumbing',
    'fuga,escape agua,pierde agua,perder agua,pérdida agua,sale agua,agua caliente,cortar agua,gotea,gotear,goteando,gotera,inundación,inundado,'
    'inunda,humedad techo,mancha techo,váter,wáter,inodoro,retrete,lavabo,fregadero,desagüe,bañera,ducha,bidé,bidet,sifón,arqueta,bajante,cañería,'
    'tubo roto,tubo agua,termo,calefacción,radiador,instalador gas,olor gas,huele gas,llave paso,presión agua,contador agua,obstruido,pocero,'
    'fosa séptica,mampara,descalcificador,grifería,bomba agua,lavadora pierde,lavavajillas pierde,desatascador,fontanera,suelo radiante,'
    'cocina inundada,plomería,gasfitero,no traga,llave agua,canilla,caño',
    'fuita,fuga aigua,perd aigua,surt aigua,pèrdua aigua,aigua calenta,degota,degotar,goteja,gotejar,goteig,goteres,inundació,inundat,inodor,'
    'pica cuina,rentamans,desguàs,dutxa,sifó,tub trencat,tub aigua,canonades,baixant,escalfador,calefacció,estufa gas,instal·lador gas,clau pas,'
    'pressió aigua,comptador aigua,embús,embussat,embussada,embossat,embós,atascat,desembús,llanterner,llauner,aixetes,rentadora perd,'
    'rentaplats perd,fossa sèptica,humitat sostre,terra radiant,lampistes,cuina inundada,banyera perd,canviar banyera,termo elèctric,termo aigua,'
    'radiador fred,radiador perd,purgar radiadors,aigüera cuina,aigüera perd,aigüera embussada,vàter embussat',
    'plumbing,faucet,dripping,tap broken,kitchen tap,bathroom tap,leaking,leaky,flooded,flooding,flood,pipe,pipework,drain,clogged,unclog,'
    'blockage,toilet,flush,loo,cistern,sink,basin,bathtub,bath tub,shower,sewage,sewer,septic tank,gas smell,gas engineer,gas fitter,hot water,'
    'water heater,water pressure,stopcock,heating,radiator,water ceiling,damp ceiling,overflowing,immersion heater,water softener'),
  ('electricians',
    'apagón,plomos,diferencial,cortocircuito,corto circuito,chispazo,chispas,interruptor,bombilla,lámpara,focos,leds,iluminación,corriente,cable,'
    'cables,cableado,fusible,fusibles,magnetotérmico,salta automático,boletín,toma tierra,regleta,timbre,telefonillo,videoportero,'
    'portero automático,antena,antenista,domótica,placas solares,paneles solares,punto recarga,cargador coche,ventilador techo,'
    'aire acondicionado instalar,aire acondicionado roto,aire acondicionado funciona,reparar electrodomésticos,vitrocerámica,potencia contratada,'
    'generador,enchufes,termostato,derivación eléctrica,sobrecarga',
    'electricistes,apagada,ploms,curtcircuit,espurna,espurnes,guspira,bombeta,bombetes,làmpada,il·luminació,sense corrent,cablejat,magnetotèrmic,'
    'salta automàtic,butlletí elèctric,presa terra,intèrfon,videoporter,porter automàtic,plaques solars,panells solars,punt recàrrega,'
    'carregador cotxe,ventilador sostre,aire condicionat instal·lar,aire condicionat espatllat,quadre elèctric,potència contractada,termòstat,'
    'cables elèctrics,cables pelats',
    'electrics,electricity,outage,blackout,power gone,lights out,lights off,flickering,fuse,fuses,fusebox,circuit breaker,breaker trips,'
    'short circuit,sparks,sparking,electric shock,plug,outlet power,wall outlet,light switch,switch broken,bulb,lamp,light fixture,lighting,'
    'ceiling light,chandelier,wires,wire,rewire,rewiring,electric meter,doorbell,intercom,ev charger,charging point,antenna,'
    'air conditioning install,air conditioning broken,aircon broken,thermostat,smart home,generator,circuit trips,tv aerial'),
  ('locksmiths',
    'cerrojo,pestillo,candado,puerta blindada,puerta acorazada,puerta cerrada,puerta atascada,puerta bloqueada,puerta rota,puerta cierra,'
    'puerta abre,abrir casa,entrar casa,entrar piso,quedé fuera,quedamos fuera,encerrado,encerrada,portazo,cierre metálico,persiana metálica,'
    'persiana atascada,caja fuerte,abrir coche,abrir caja,llave,bisagra,pomo,manilla puerta,mirilla,antirrobo,antibumping,amaestramiento,cilindro,'
    'forzar puerta,forzado puerta,robo casa,robado casa,ladrones,reja,verja,abrepuertas,cerrajera,mando garaje,abrir buzón,abrir trastero,'
    'seguridad puerta,bloqueado puerta',
    'forrellat,baldó,cadenat,porta blindada,porta cuirassada,porta tancada,porta encallada,porta bloquejada,porta trencada,porta tanca,porta obre,'
    'obrir casa,entrar pis,tancat fora,tancada fora,quedat fora,quedada fora,cop porta,bombí,caixa forta,obrir cotxe,obrir caixa,obrir bústia,'
    'robatori,robat casa,lladres,forçar porta,espiell,maneta porta,pom porta,frontissa,reixa,reixes,persiana metàl·lica,comandament garatge,'
    'cilindre,antirobatori,manyans,manyeria,panyer,porta seguretat,pestell porta',
    'locked,lockout,shut out,stuck outside,door stuck,door jammed,door shut,door closed,door slammed,door handle,door knob,doorknob,door opening,'
    'door broken,unlock door,unlock car,unlock house,deadbolt,bolt door,padlock,latch,keyhole,peephole,hinge,hinges,safe combination,burglary,'
    'burgled,burglar,forced door,security door,garage remote,roller shutter,metal shutter'),
  ('cleaning',
    'limpiadora,limpiador,limpiar piso,limpiar cristales,limpiacristales,limpiar ventanas,limpiar oficina,asistenta,empleada doméstica,'
    'servicio doméstico,tareas domésticas,tareas casa,casa sucia,piso sucio,mugre,polvo,fregar,barrer,aspirar,aspiradora,plancha ropa,planchadora,'
    'alfombra,limpiar sofá,sofá manchado,moqueta,colchón manchado,limpiar colchón,abrillantar,pulir suelo,desinfección,desinfectar,ozono,'
    'vaciar piso,vaciado pisos,síndrome diógenes,ordenar casa,grafitis,cucarachas,plaga,fumigar,cocina sucia,baño sucio,oficina sucia,limpie casa,'
    'limpiar fiesta,señora limpieza,muchacha',
    'netejadora,netejador,netejar pis,netejar vidres,netejar finestres,dona feines,feines casa,feines domèstiques,servei domèstic,minyona,'
    'casa bruta,pis brut,pols,fregar terra,rentar plats,escombrar,planxadora,planxa roba,netejar oficina,catifa,catifes,netejar sofà,sofà tacat,'
    'matalàs tacat,netejar matalàs,desinfecció,polir terra,buidar pis,buidatge,endreçar casa,agranar,paneroles,escarabats,plagues,llimpiesa,'
    'cuina bruta,bany brut,oficina bruta,planxar camises,planxar camisa,senyora feines,fer feines,neteja festa',
    'housekeeper,housekeeping,housework,household chores,charwoman,clean flat,clean apartment,clean office,dirty house,messy house,dust,dusting,'
    'hoover,hoovering,vacuum,vacuuming,mopping,mop,sweep floor,clean windows,window washing,windows dirty,iron shirts,iron clothes,carpet,rug,'
    'sofa stain,clean sofa,upholstery,clean mattress,mattress stain,end tenancy,move out clean,spring clean,declutter,disinfection,disinfect,'
    'sanitize,house clearance,floor polishing,tidy house,clean stairs,pest control,cockroaches,fumigation,dirty kitchen,dirty bathroom,dirty flat,'
    'dirty apartment,clean after party,clean party,after builders'),
  ('gardening',
    'jardinera,árbol,talar,tala,recortar seto,hierba,malas hierbas,hierbajos,desbrozar,desbroce,segar,segadora,cortacésped,riego,regar,macetas,'
    'macetero,sustrato,abono,tierra vegetal,huerto,huerta,palmera,picudo,olivos,rosales,frutales,invernadero,vivero,paisajista,paisajismo,'
    'mantenimiento piscina,limpiar piscina,piscina verde,piscinero,orugas,procesionaria,pulgón,plantar flores,cortar setos,cortar ramas',
    'arbre,arbres,esporgar,esporga,branques,bardissa,tanca vegetal,tanques vegetals,herba,herbes,desbrossar,desbrossada,tallagespa,reg gota,'
    'sistema reg,plantes,torretes,cossiol,terra vegetal,adob,hort,horta,hortet,palmeres,becut,oliveres,fruiters,hivernacle,viver,planter,'
    'paisatgista,paisatgisme,manteniment piscina,netejar piscina,piscina verda,erugues,processionària',
    'yard,backyard,tree,trees,branches,hedge,hedges,grass,mowing,mower,lawnmower,weeds,weeding,overgrown,strimming,pruning,prune,watering,'
    'irrigation,sprinkler,planting,soil,compost,fertilizer,fertiliser,allotment,greenhouse,landscaper,turf,pool maintenance,pool cleaning,'
    'green pool,caterpillars'),
  ('hotelstravel',
    'viaje,viajero,escapada,vacacional,turístico,luna miel',
    'viatge,viatger,turístic,turistes,lluna mel',
    'vacation,getaway,weekend break,weekend away,tourist,honeymoon,city break,traveller,traveler'),
  ('hotels',
    'hotelito,hotelero,albergue,posada,parador,casa rural,turismo rural,agroturismo,camping,bungalow,glamping,apartahotel,aparthotel,'
    'piso turístico,alquiler vacacional,airbnb,suite,cama,alojarse,alojarme,hospedaje,hospedarse,hospedarme,quedarse noche,quedarme noche,'
    'quedarnos noche,dormimos,pernoctar,desayuno incluido,estancia,motel,resort,peregrinos,albergues,litera,dos noches,tres noches,sala reuniones,'
    'salón reuniones,dónde quedarme',
    'hotelet,hostalet,alberg,turisme rural,agroturisme,casa pagès,bungalou,apartament turístic,pis turístic,lloguer vacances,cambra,llit,hostatge,'
    'hostatgeria,passar nit,quedar-se nit,dormim,pensió,tot inclòs,esmorzar inclòs,refugi,llitera,finca turisme,dues nits,tres nits',
    'inn,lodge,lodging,guesthouse,bnb,holiday apartment,holiday rental,holiday home,vacation rental,vacation apartment,tourist apartment,'
    'holiday let,self catering,campsite,campground,cottage,country house,rural house,chalet ski,mountain hut,bed,dorm,dormitory,stay night,'
    'spend night,sleep tonight,overnight,half board,full board,all inclusive,breakfast included,crash tonight,two nights,three nights,'
    'meeting room,conference room'),
  ('tours',
    'guiado,visita ciudad,visitar pueblo,monumentos,museos,ver ciudad,conocer ciudad,conocer pueblo,descubrir ciudad,lugares turísticos,'
    'sitios turísticos,turistear,barco,catamarán,velero,bus turístico,autobús turístico,tren turístico,tuk tuk,segway,visita bodega,'
    'bodegas visitar,cata vinos,enoturismo,casco antiguo,casco histórico,oficina turismo,mirador,audioguía,itinerario,crucero,cruceristas,'
    'circuito turístico,actividades turistas,planes turistas,enseñar ciudad',
    'guiat,visita ciutat,visitar poble,monuments,museus,veure ciutat,conèixer ciutat,conèixer poble,descobrir ciutat,excursió,vaixell,golondrines,'
    'catamarà,veler,barca passeig,llaüt,bus turístic,autobús turístic,tren turístic,visita celler,visitar celler,tast vins,enoturisme,nucli antic,'
    'casc antic,barri antic,guies turístics,oficina turisme,itinerari,creuer,volta ciutat,activitats turistes',
    'guided,guides,boat,sailing trip,cruise,wine tasting,winery visit,city walk,see city,see town,explore city,explore town,things do,attractions,'
    'landmarks,museums,old town,tourist information,tourist office,itinerary,viewpoint,skip line tickets,show city'),
  ('localservices',
    'servicios barrio,servicios cercanos,arreglos barrio,comercios barrio',
    'serveis barri,serveis propers,arranjaments barri,comerços barri',
    ''),
  ('tailors',
    'dobladillo,acortar,alargar pantalón,alargar falda,estrechar,entallar,ensanchar ropa,ensanchar pantalón,meter cintura,sacar cintura,'
    'pantalón largo,pantalón grande,vestido grande,vestido largo,ropa grande,pantalones,pantalón roto,vaqueros rotos,ropa rota,agujero pantalón,'
    'agujero jersey,remendar,remiendo,parche,parches,zurcir,descosido,descosida,botón,ajustar vestido,ajustar traje,vestido medida,traje medida,'
    'ropa medida,camisas medida,confección,patronaje,patronista,hilo aguja,mercería,sastra,sastrería,modisto,zurcidora,cortinas,disfraz medida,'
    'traje flamenca,hombreras,forro abrigo,compostura,arreglar chaqueta,arreglar vestido,bajo falda,bajo vestido,bajo vaqueros,arreglar traje,'
    'coser botón,subir bajo,queda grande,queda largo,ensanchar,arreglar pantalón,arreglar falda',
    'escurçar,acurçar,allargar faldilla,estrènyer roba,eixamplar,vestit gran,vestit llarg,roba gran,texans trencats,roba trencada,forat jersei,'
    'estripat,apedaçar,pedaç,pedaços,sargir,sargidora,descosit,costures,botó,cremalleres,ajustar vestit,vestit mida,roba mida,americana arreglar,'
    'confecció,patronatge,fil agulla,vetes fils,sastressa,modistes,cosidores,cortines,indumentària valenciana,folre abric,arreglar vestit,'
    'arreglar jaqueta,vora faldilla,vora vestit,vora,vora pantalons,jaqueta gran,va gran',
    'tailoring,tailored,seamstresses,sew,sewn,stitching,stitches jeans,mend,mending,darning,hem,hemming,hemmed,take up pants,take in dress,'
    'take in waist,let out waist,shorten,lengthen,pants too long,jeans too long,dress too long,dress too big,trousers,ripped,torn jacket,'
    'tear jeans,hole jeans,hole sweater,patch jeans,patches,zip,zipper,button,made measure,bespoke,custom suit,adjust dress,'
    'wedding dress alteration,fix dress,fix jacket,clothes repair,altered,alter dress,curtains,lining coat,haberdashery,torn dress,torn coat,'
    'torn shirt,take up trousers,take up,hem dress,shorten trousers,trousers too long,trousers long'),
  ('shoe-repair',
    'zapatera,zapato roto,bota rota,suela despegada,suela rota,despegado zapato,pegar suela,tapas zapatos,tapillas,cambiar tapas,calzado,'
    'coser zapato,coser bolso,bolso roto,arreglar bolso,arreglar botas,arreglar sandalias,arreglar maleta,maleta rota,cordones,plantillas zapatos,'
    'ensanchar zapatos,agrandar zapatos,zapatos aprietan,horma,teñir zapatos,betún,limpiabotas,limpiar zapatos,cinturón agujero,arreglar cinturón,'
    'correa bolso,arreglar cuero,copia llaves,pilas reloj,afilar cuchillos,afilador,botas montaña suela,pies gato resolar,remendón,hebilla,'
    'antideslizante suela,correa reloj,suela zapato,suela bota,suela zapatilla',
    'sabatera,sabateria reparació,adobar sabates,sabata trencada,sabates trencades,bota trencada,sola desenganxada,sola trencada,enganxar sola,'
    'taló trencat,calçat trencat,cosir sabata,cosir bossa,bossa trencada,arreglar bossa,arreglar botes,arreglar sandàlies,maleta trencada,'
    'plantilles sabates,eixamplar sabates,sabates estretes,sabates apreten,forma sabates,tenyir sabates,betum,enllustrador,netejar sabates,'
    'cinturó forat,arreglar cinturó,arreglar cuiro,pell bossa,còpia claus,duplicat claus,pila rellotge,esmolar ganivets,esmolador,resolar,'
    'espardenya reparar,avarques arreglar,sivella,ataconador,ataconar,corretja rellotge',
    'shoemaker,shoe,mend shoes,shoes broken,boots repair,fix boots,broken boot,heel broken,heel tips,heel came off,reheel,sole came off,resole,'
    'resoling,glue sole,insoles,insole,shoelaces,laces,stretch shoes,shoes tight,shoes too small,shoeshine,polish shoes,clean shoes,dye shoes,'
    'bag repair,fix bag,handbag broken,handbag strap,suitcase repair,suitcase broken,luggage repair,belt hole,belt holes,fix belt,belt repair,'
    'buckle,leather repair,key cutting,keys cut,watch battery,knife sharpening,sharpen knives,sandals fix,heel broke'),
  ('phone-repair',
    'móvil,celular,smartphone,ipad,samsung,xiaomi,huawei,android,macbook,imac,pantalla,batería hinchada,batería agotada,batería dura,cargador,'
    'puerto carga,conector carga,desbloquear,desbloqueo,táctil,fundas,cristal templado,pc,virus,malware,hackeado,hackearon,recuperar datos,'
    'perdido fotos,disco duro,ssd,pendrive,copia seguridad,memoria ram,teclado,impresora,router,wifi,internet funciona,consola,playstation,ps5,'
    'xbox,nintendo,joystick,smartwatch,servicio técnico,software,tele rota,reacondicionados,tienda electrónica,instalar windows,televisor,'
    'televisión rota,formatear disco,computadora,computador,compu,celu,arreglar celular,pantalla celular',
    'mòbil,pantalles,bateria inflada,carregador,desbloquejar,fundes,vidre temperat,hackejat,recuperar dades,perdut fotos,disc dur,còpia seguretat,'
    'teclat,impressora,encaminador,servei tècnic,reacondicionat,botiga electrònica,instal·lar windows,formatar disc,tauleta trencada,'
    'tauleta digital,mòbil trencat',
    'phone,phones,mobile,cellphone,apple repair,screen,battery dies,battery replacement,swollen battery,charger,charging port,wont charge,'
    'notebook repair,hacked,data recovery,recover photos,lost photos,recover data,hard drive,hard disk,usb stick,backup,keyboard,printer,'
    'internet broken,tech support,console repair,refurbished,sim card,electronics shop,electronics repair,install windows,tv repair,tv broken'),
  ('laundry',
    'autoservicio lavar,lavadora,secadora,secar ropa,ropa sucia,ropa limpia,ropa mojada,colada,edredón,mantas,lavar nórdico,sábanas,toallas,'
    'cortinas lavar,lavar alfombra,lavar abrigo,abrigo sucio,limpiar traje,limpiar vestido,traje sucio,mancha vino,quitar mancha,quitamanchas,'
    'tintorero,limpiar ropa,limpiar chaqueta,limpieza cuero,planchar,detergente,suavizante,uniformes lavar,mantelería,teñir ropa,plumón,'
    'mancha camisa,mancha vestido,manchas ropa,camisa manchada,vestido manchado,ropa arrugada',
    'autoservei rentar,bugada,assecadora,eixugadora,eixugar roba,secar roba,roba bruta,roba neta,llavar roba,llavadora,safareig,edredó,'
    'rentar nòrdic,mantes,flassada,tovalloles,rentar cortines,rentar catifa,rentar abric,abric brut,netejar vestit,vestit brut,taca vi,'
    'treure taca,tintorer,netejar roba,netejar jaqueta,planxar,detergent,suavitzant,rentadora trencada,uniformes rentar,tenyir roba,'
    'rentadora espatllada,taca camisa,taca vestit,taques roba,camisa tacada,vestit tacat,roba arrugada,posar rentadora,rentadora roba,'
    'rentadora monedes,llençols llit,planxar camises,planxar camisa',
    'launderette,laundrette,dry cleaner,dry clean,washing clothes,wash machine,washing machine,washer,dryer,dry clothes,dirty clothes,'
    'clean clothes,wet clothes,duvet,comforter,blankets,bedding,sheets,towels,wash curtains,wash rug,clean suit,clean coat,clean dress,'
    'clean jacket,suit cleaned,wedding dress cleaning,stain,stained,ironing,iron shirts,shirts ironed,steam clothes,creased,fabric softener,'
    'fold clothes,wash fold,leather cleaning,dye clothes,uniforms wash,wash shirts,wash jeans,wrinkled clothes'),
  ('massmedia',
    'prensa,noticias,periodista,periodismo',
    'premsa,notícies,periodisme',
    'press,news,journalist,journalism'),
  ('radio-stations',
    'radiofónico,locutor,locutora,fm,dial,podcast,cuña,radiofórmula,onda media,tertulia,retransmisión partido',
    'emissores,radiofònic,falca,retransmissió partit',
    'broadcaster,broadcasting,broadcast,airtime'),
  ('print-media',
    'prensa,semanario,gaceta,noticias,periodista,quiosco,kiosco,esquela,clasificados,publicar anuncio,editorial,artes gráficas,impresión,impreso,'
    'imprimo,impresora color,fotocopiar,fotocopiadora,copias color,plotter,gran formato,vinilo,lona,pancarta,rótulos,octavillas,dípticos,'
    'trípticos,tarjetas empresa,invitaciones boda,recordatorios,pegatinas,adhesivos,etiquetas,encuadernar,encuadernación,espiral,plastificar,'
    'plastificado,escanear,escáner,sellos caucho,serigrafía,camisetas personalizadas,tazas personalizadas,papelería,invitaciones comunión,'
    'invitaciones cumpleaños,anunciar,anuncio',
    'premsa,periòdic,setmanari,gaseta,notícies,quiosc,classificats,publicar anunci,arts gràfiques,impressió,imprès,impremtes,imprimeix,'
    'impressora color,còpies color,plòter,gran format,lones,rètols,octavetes,díptics,tríptics,fullets,fulletons,targeta visita,targetes empresa,'
    'invitacions,recordatoris,adhesius,enganxines,etiquetes,enquadernar,enquadernació,plastificat,escanejar,samarretes personalitzades,'
    'tasses personalitzades,papereria,publicar esquela,vinil adhesiu,vinil tallat',
    'press,magazines,weekly paper,gazette,news,journalist,newsagent,newsstand,kiosk,classified ads,obituary,publisher,print,printer,printed,'
    'boarding pass,copies,copy shop,photocopy,photocopier,scan document,scanning,scanner,laminate,laminating,bind thesis,book binding,banner,'
    'vinyl,signage,leaflets,brochure,brochures,pamphlets,invitations,stickers,labels,letterhead,large format,custom t-shirts,custom mugs,'
    'stationery,advertise'),
  ('nightlife',
    'noctámbulo,juerga,fiestear,tardeo,despedida soltero,despedida soltera,ambiente nocturno,ambiente gay,trasnochar',
    'sortir marxa,gresca,xerinola,tardeig,comiat solter,comiat soltera,locals nocturns,ambient nocturn,oci nocturn,ambient gai',
    'nightlife,late night,stag do,hen do,hen party,stag party,bachelor party,bachelorette,gay scene,pub crawl'),
  ('bars',
    'barecito,tasca,cantina,bodega,bodeguita,chiringuito,terraza,terracita,gastrobar,cervecita,birra,birrita,cañita,botellín,craft beer,ipa,'
    'barril,vinito,copa,copita,tinto verano,sangría,rebujito,cava,sidra,sidrería,chupito,cubata,ron,whisky,whiskey,ginebra,licor,orujo,pacharán,'
    'vermú,vermuteo,aperitivo,beber,trago,bebida,sed,quedar amigos,fútbol ver,ver partido,partido pantalla,champions ver,futbolín,billar,dardos,'
    'karaoke,bocadillo,bocata,bocadillería,sandwich,hamburguesa,hamburguesería,camarero,refresco,mosto',
    'baret,celler,xiringuito,guingueta,guinguetes,terrasseta,cerveses,cerveseta,birres,canyes,canyeta,vins,xopet,xarrup,cubates,rom,ratafia,'
    'herbes eivissenques,gin xoriguer,aperitiu,beure,beguda,begudes,quedar amics,partit veure,veure futbol,futbolí,dards,entrepà,entrepans,'
    'entrepaneria,pa fuet,llonguet,esmorzar forquilla,hamburgueses,refresc,cambrer,pa oli,terrassa sol,seure terrassa',
    'taproom,tap room,ale,lager,pint,stout,guinness,cider,booze,alcohol,drinking,beverage,thirsty,wine,wines,vermouth,aperitif,rum,gin,shots,'
    'liquor,happy hour,rooftop,terrace,terraces,outdoor seating,watch football,watch match,watch game,watch soccer,football tv,pool table,'
    'billiards,darts,table football,foosball,bartender,barman,burger,hamburger,meet friends,gastropub,saloon'),
  ('cocktail-bars',
    'copas,copa noche,gin,gintonic,gintonería,ginebra,caipirinha,caipiriña,daiquiri,piña colada,negroni,aperol,spritz,bloody mary,martini,'
    'cosmopolitan,old fashioned,moscow mule,tequila,vodka,ron,bourbon,whisky,mezcal,barman,bartender,coctelero,mixología,coctelera,mocktail,'
    'speakeasy,lounge,chill out,tiki,azotea,rooftop,primera cita copa,frozen margarita',
    'copes,copa nit,cubates,pinya colada,rom,mescal,còcteler',
    'mixed drinks,mixologist,g&t,cosmo drink,long island,rum,whiskey sour,sundowner,fancy drinks,nightcap,highball,margarita drink'),
  ('clubs',
    'clubes noche,baile,bailo,bailamos,bailoteo,reguetón,reggaeton,tecno,techno,house música,electrónica música,salsa,bachata,kizomba,salsoteca,'
    'dj,pinchadiscos,rave,macrofiesta,música ochenta,verbena,drag,lgtb,antro,fiesta noche',
    'discoteques,sala ball,pista ball,sala festes,ballo,ballem,ballaruca,reggaetó,punxadiscos,club nocturn,macrofesta,música vuitanta,revetlla,'
    'festa nit,lgtbi',
    'clubbing,discotheque,dancefloor,partying,raves,house music,electronic music,edm,afterparty,guest list,vip table,bottle service,bouncer,'
    'entry club,gay club,lgbt,eighties music,hip hop night,boogie,late club'),
  ('pets',
    'animalitos,bichos casa,acuario,peces,animal doméstico',
    'animalets,pinso,aquari,animal domèstic,bestioles',
    'dog food,cat food,furry friend,aquarium,kibble,leash'),
  ('vets',
    'perra,gata,perrito,perrita,gatito,gatita,cachorro,michi,canino,felino,conejo enfermo,conejillo,hámster,cobaya,hurón,tortuga,loro,periquito,'
    'canario enfermo,pájaro,pajarito,exóticos,animal enfermo,animal herido,mascota enferma,mascota mala,garrapata,pulgas,desparasitar,'
    'desparasitación,parásitos,antiparasitario,lombrices,vacunar mascota,cartilla mascota,cartilla vacunación,microchip,chip mascota,'
    'pasaporte mascota,viajar mascota,esterilizar,esterilización,castración,capar,cojea,cojear,pata rota,pezuña,hocico,rabo cortado,'
    'pelo cae mascota,leishmania,leishmaniosis,moquillo,parvovirus,filaria,procesionaria,mordedura,mordido,preñada,parto mascota,eutanasia,'
    'sacrificar,incineración mascotas,urgencias animales,sarna,otitis mascota,pata hinchada,pata herida,duele pata',
    'gossos,gossa,gosset,gosseta,gatet,gateta,moix,moixa,moixos,moixet,cadell,quissó,felí,conill malalt,conillet,cobai,fura,lloro,ocell,ocellet,'
    'exòtics,animal malalt,animal ferit,mascota malalta,paparra,paparres,puces,puça,paràsits,antiparasitari,cucs,microxip,xip,passaport mascota,'
    'viatjar mascota,esterilitzar,esterilització,castració,coixeja,coixejar,pota trencada,processionària,mossegada,mossegat,incineració mascotes,'
    'urgències animals,pinso,pota inflada,pota ferida',
    'veterinary,animal doctor,doggy,doggie,pup,puppies,kitten,kitty,feline,canine,rabbit,bunny,guinea pig,ferret,parrot,budgie,bird,tortoise,'
    'turtle,exotic animals,sick animal,injured animal,sick pet,paw,limping,limp,tick,flea,worming,deworm,deworming,worms,rabies,vaccinate,'
    'pet vaccination,pet vaccine,chip pet,pet passport,travel pet,pet certificate,spay,spayed,spaying,neuter,neutered,neutering,castrate,'
    'castration,heat pet,pregnant pet,bitten,swallowed chocolate,vomiting pet,leishmaniasis,kennel cough,mange,euthanasia,pet cremation,'
    'pet emergency,emergency animal,animal clinic'),
  ('pet-grooming',
    'peluquería gatos,peluquería felina,peluquería mascotas,peluquera canina,bañar gato,lavar gato,cortar pelo gato,cortar uñas gato,'
    'cepillar gato,gato nudos,bañar mascota,lavar mascota,baño mascota,baño canino,champú perro,pelar perro,esquilar,rapar perro,rapar gato,'
    'deslanado,stripping canino,pelaje,nudos pelo perro,cepillar perro,mascota sucia,perro sucio,perro huele,caniche,caniches,yorkshire,bichón,'
    'shih tzu,westie,cocker,schnauzer,pomerania,golden retriever,glándulas anales,spa mascotas,guardería canina,mascota guapa,'
    'antiparasitario baño,bañar perrito,bañar perra,bañar cachorro,lavar perrito,lavar perra,pelar perrito,cortar pelo perrito,cortar pelo perra,'
    'uñas perrito,peluquero perros,peluquera perros',
    'perruqueria gats,perruqueria felina,perruqueria mascotes,perruquera canina,perruquer caní,banyar gat,rentar gat,tallar pèl gat,'
    'tallar ungles gat,raspallar gat,gat nusos,moix banyar,tallar pèl gos,tallar ungles gos,banyar mascota,rentar mascota,bany mascota,xampú gos,'
    'pelar gos,rapar gos,nusos pèl gos,raspallar gos,pelatge,mascota bruta,gos brut,gos pudent,gos put,bitxó,glàndules anals,spa mascotes,'
    'banyar gosset,banyar gossa,banyar cadell,rentar gosset,rentar gossa,tallar pèl gosset,tallar pèl gossa,pentinar gos',
    'groomer,grooming,puppy cut,poodle,poodles,cockapoo,labradoodle,yorkie,cocker spaniel,pomeranian,bath dog,dog shampoo,dog nails,clip dog,'
    'dog clipping,dog trim,cut dog hair,dog fur,matted,knots dog,brush dog,smelly dog,dirty dog,muddy dog,shedding,hand stripping,anal glands,'
    'wash cat,cat bath,cat nails,pet spa,pet salon,pet bath,dog spa,doggy daycare,wash puppy,puppy bath,puppy haircut,wash doggy,dog smells,'
    'dog stinks'),
  ('professional',
    'profesionales,profesional cualificado,asesoramiento profesional,despacho profesional,asesoramiento empresas,consultoría',
    'professional qualificat,assessorament professional,despatx professional,assessorament empreses',
    'consulting,consultants,business services,consultancy'),
  ('lawyers',
    'abogacía,letrado,letrada,jurista,jurídico,jurídica,legal,procurador,procuradora,penalista,laboralista,matrimonialista,divorciarse,'
    'divorciarme,divorciado,separación,separarme,separarse,custodia,régimen visitas,pensión alimenticia,pensión alimentos,heredar,heredero,'
    'heredado,sucesiones,testar,donación casa,despedido,despedida trabajo,despidieron,despedir,finiquito,indemnización,acoso laboral,mobbing,'
    'trabajo pagan,nóminas impagadas,incapacidad,invalidez,demanda,demandar,demandado,denuncia,denunciar,denunciado,querella,juicio,juzgado,'
    'tribunal,pleito,litigio,citación judicial,sentencia,recurrir,alcoholemia,detenido,calabozo,cárcel,delito,penal,estafa,estafado,estafaron,'
    'maltrato,orden alejamiento,accidente tráfico,accidente coche,accidente laboral,atropello,negligencia médica,reclamar,reclamación,'
    'cláusulas abusivas,contrato revisar,contrato alquiler,inquilino paga,desahucio,okupas,deudas,embargo,embargado,moroso,segunda oportunidad,'
    'concurso acreedores,extranjería,inmigración,nacionalidad,permiso residencia,nie,arraigo,visado,nómada digital,mediador,mediación,arbitraje,'
    'constituir sociedad,capitulaciones,pareja hecho,turno oficio,asilo político,papeles extranjeros,contrato trabajo,multa tráfico,casero,fianza,'
    'repartir herencia,muerto padre,fallecido,me han despedido',
    'advocacia,lletrat,lletrada,jurídic,advocades,divorciat,separació,pensió aliments,heretar,hereu,heretat,successions,donació casa,acomiadament,'
    'acomiadat,acomiadada,acomiadar,despatxat feina,quitança,indemnització,assetjament laboral,incapacitat,invalidesa,judici,jutjat,jutge,plet,'
    'litigi,citació judicial,multes,detingut,delicte,estafat,maltractament,ordre allunyament,accident trànsit,accident cotxe,accident laboral,'
    'atropellament,reclamació,clàusules abusives,contracte lloguer,llogater paga,desnonament,okupes,deutes,embargament,embargat,morós,'
    'segona oportunitat,concurs creditors,estrangeria,immigració,nacionalitat,permís residència,arrelament,mediació,parella fet,torn ofici,'
    'asil polític,papers residència,visat treball,visat residència,dret penal,contracte revisar,contracte feina,multa trànsit,avi mort,fiança,'
    'propietari pis',
    'barrister,advocate,law,divorced,divorcing,separation,separated,custody,child support,alimony,prenup,inherited,heir,probate,estate planning,'
    'fired,laid off,dismissal,severance,redundancy,employment tribunal,workplace harassment,sue,suing,sued,lawsuit,litigation,court date,'
    'compensation,accident claim,car accident,injury claim,personal injury,medical negligence,malpractice,fine appeal,speeding fine,traffic fine,'
    'drink driving,arrested,police station,jail,prison,criminal,scam,scammed,fraud,restraining order,lease contract,rental contract,eviction,'
    'evicted,evict tenant,squatters,tenant rights,unpaid wages,debt,bankruptcy,immigration,residency,residence permit,citizenship,nationality,'
    'digital nomad,asylum,work permit,golden visa,mediator,mediation,conveyancing,conveyancer,paralegal,dispute,trademark,court case,'
    'visa application,residence visa,work visa,student visa,visa renewal,employment contract,review contract,landlord,deposit,landlord deposit'),
  ('architects',
    'arquitectura,aparejador,aparejadora,interiorista,interiorismo,decorador interiores,diseño interiores,diseño casa,diseñar casa,construir casa,'
    'construcción casa,obra nueva proyecto,ampliar casa,ampliación vivienda,tirar tabique,tirar pared,distribución piso,rehabilitación edificio,'
    'rehabilitar edificio,rehabilitar casa,fachada,licencia obra,permiso obras,licencia actividad,licencia apertura,cédula habitabilidad,'
    'certificación energética,eficiencia energética,ite,inspección edificio,grietas,grieta pared,estructura edificio,delineante,maqueta edificio,'
    'dirección obra,visado proyecto,levantamiento plano,medición terreno,topógrafo,casa pasiva,casa prefabricada,proyecto casa,proyecto vivienda,'
    'peritaje,informe pericial,legalizar obra,render 3d,plan urbanístico,obras casa,obras piso,reformar,reforma integral',
    'aparellador,aparelladora,interiorisme,disseny interiors,dissenyar casa,ampliació habitatge,tirar envà,tirar paret,distribució pis,'
    'rehabilitació edifici,rehabilitar edifici,façana,llicència obra,llicència obres,permís obres,llicència activitat,cèdula habitabilitat,'
    'certificació energètica,inspecció edifici,esquerda,esquerdes,clivella,estructura edifici,delineant,maqueta edifici,direcció obra,'
    'visat projecte,topògraf,casa passiva,projecte casa,projecte habitatge,peritatge,legalitzar obra,restaurar masia,pla urbanístic,obres casa,'
    'fer obres,reformar casa',
    'architectural,interior design,interior designer,design house,build house,building house,self build,house extension,loft conversion,'
    'knock wall,remove wall,floor plan,blueprint,drawings house,planning permission,building permit,building permission,building licence,'
    'building license,works licence,surveyor,building survey,house survey,structural survey,structural engineer,cracks wall,facade,'
    'energy performance,energy rating,epc,energy efficiency,passive house,prefab house,3d rendering,render house,building regulations,'
    'site supervision,draftsman,draughtsman,urban planning,habitability certificate,building project'),
  ('marketing',
    'mercadotecnia,agencia comunicación,diseño,imagen corporativa,identidad corporativa,branding,marca crear,web,tienda online,tienda línea crear,'
    'ecommerce,wordpress,prestashop,shopify,desarrollador,programador,app desarrollar,crear app,hosting,posicionamiento,google ads,adwords,'
    'anuncios,publicitario,campaña publicitaria,instagram,facebook,tiktok,linkedin,community manager,influencer,seguidores,redes,newsletter,'
    'mailing,copywriter,redactor,vídeo corporativo,vídeo promocional,ilustrador,ilustradora,ilustración,packaging,catálogo diseñar,rotulación,'
    'relaciones públicas,captar clientes,conseguir clientes,vender internet,estudio mercado,atraer clientes,más clientes negocio',
    'agència comunicació,disseny,imatge corporativa,identitat corporativa,botiga online,botiga línia,desenvolupador,posicionament,anuncis,'
    'campanya publicitària,xarxes,butlletí digital,vídeo corporatiu,il·lustrador,il·lustradora,il·lustració,catàleg dissenyar,retolació,'
    'relacions públiques,aconseguir clients,vendre internet,negoci internet,promocionar negoci,atraure clients',
    'ad agency,ads,adverts,advertise,promote,promotion,brand identity,brand design,corporate identity,graphic designer,graphic artist,graphics,'
    'web developer,web development,web page,webpage,websites,site online,online shop,online store,app development,build app,programmer,'
    'domain name,search engine,google ranking,rank google,ppc,followers,content creator,email campaign,copywriting,illustrator,illustration,'
    'brochure design,catalogue design,catalog design,public relations,pr agency,promo video,corporate video,market research,creative agency,'
    'sell online,attract customers'),
  ('publicservices',
    'servicios municipales,administración pública,municipal,alcaldía',
    'serveis municipals,administració pública,casa vila',
    'public services,council,city hall,municipality'),
  ('libraries',
    'bibliotecario,bibliotecaria,mediateca,hemeroteca,bibliobús,ludoteca,préstamo libros,pedir libro prestado,sacar libros,libros prestados,'
    'devolver libro,leer,lectura,lectores,cuentacuentos,silencio,aula estudio,wifi,ordenadores públicos,internet gratis,trabajar portátil,'
    'archivo histórico,consultar archivo,películas prestadas',
    'bibliotecari,préstec,demanar llibre prestat,llibres prestats,tornar llibre,llegir,contacontes,silenci,aula estudi,ordinadors públics,'
    'treballar portàtil,arxiu històric,pel·lícules prestades,llibres préstec,agafar llibres,demanar llibres',
    'librarian,borrow books,book loan,return book,read,reading room,reading group,book club,storytime,story time,archive,archives,studying,'
    'silence,free internet,public computers,internet access,coworking,borrow dvds'),
  ('community-centers',
    'casa cultura,casal,centros culturales,casa juventud,espacio joven,ateneo,asociación,vecinal,vecinos,hogar jubilado,jubilados,tercera edad,'
    'campamento urbano,extraescolares,manualidades,taller cerámica,taller pintura,taller cocina,ganchillo,ajedrez,bingo,baile mayores,'
    'voluntariado,voluntario,voluntaria,banco alimentos,ayuda social,servicios sociales,alquilar sala,sala reuniones,salón actos,ludoteca,'
    'conocer gente,intercambio idiomas,charla,debate,esplai',
    'casal avis,casal estiu,casal jove,casal barri,centres culturals,espai jove,ateneu,associació,veïnal,veïns,jubilats,tercera edat,gent gran,'
    'manualitats,taller cuina,ganxet,escacs,voluntariat,voluntari,banc aliments,ajuda social,serveis socials,llogar sala,sala actes,conèixer gent,'
    'parella lingüística,intercanvi idiomes,xerrada,xerrades,debat,colla castellera,castellers,sardanes',
    'community hall,youth club,association,neighbours,neighbors,seniors,activities,workshops,crafts,craft workshop,pottery class,crochet,'
    'knitting group,chess,volunteer,volunteering,charity,food bank,social services,rent hall,hall hire,meeting room,expats,expat group,'
    'language exchange,talks,summer camp,after school,playgroup,mothers group'),
  ('realestate',
    'apartamentos,inmueble,inmuebles,inmobiliario,vivir alquiler',
    'apartaments,immoble,immobles,habitatges,llar comprar',
    'properties,realty'),
  ('real-estate-agents',
    'agente propiedad,inmobiliario,corredor fincas,alquilar casa,alquilar apartamento,alquilar habitación,alquilar oficina,piso venta,venta casas,'
    'apartamento comprar,apartamento vender,comprar vivienda,vender vivienda,terreno,parcela,solar edificable,finca rústica,casa campo,chalet,'
    'chalé,adosado,ático,dúplex,loft,bajo jardín,estudio alquilar,compartir piso,piso compartido,nave industrial,traspaso,garaje alquilar,'
    'plaza garaje,plaza parking,trastero,segunda residencia,hipoteca,arras,fianza,compraventa,mudarse,mudarme,mudanza piso,cambiar casa,'
    'casa playa,tasar,tasador,valorar casa,valorar piso,valoración vivienda,escritura casa,inversión inmobiliaria,inversor,dormitorios,idealista,'
    'fotocasa,inquilino,propietario,arriendo,arrendar,departamento,departamento renta,apartamento',
    'api immobiliari,corredor finques,assessor immobiliari,llogar casa,llogar apartament,llogar habitació,llogar oficina,casa venda,pis venda,'
    'venda cases,venda pisos,comprar apartament,vendre apartament,vendre casa,comprar habitatge,vendre habitatge,terreny,parcel·la,casa camp,'
    'masia comprar,xalet,casa adossada,adossat,àtic,estudi llogar,compartir pis,pis compartit,locals comercials,nau industrial,traspàs,'
    'garatge llogar,plaça garatge,plaça pàrquing,traster,segona residència,hipoteques,fiança,compravenda,mudança pis,canviar casa,canviar pis,'
    'casa platja,valorar pis,valoració habitatge,quant val casa,escriptura casa,inversió immobiliària,dormitoris,llogater,propietari,taxar pis,'
    'taxar casa,finques venda,contracte arres,val casa',
    'estate agency,property agent,letting agent,letting agency,lettings,buy home,buy flat,buy apartment,buy property,buying house,buy land,'
    'buy villa,house sale,flat sale,apartment sale,property sale,houses sale,sell flat,sell apartment,sell property,selling house,rent apartment,'
    'rent house,rent room,rent studio,rent office,long term rental,flat share,flatshare,shared flat,roommate,penthouse,loft apartment,'
    'studio apartment,townhouse,finca,condo,plot,commercial premises,office space,warehouse,business transfer,parking space,garage rent,'
    'storage room,mortgage,mortgages,deposit rent,valuation,appraisal,house worth,home worth,house hunting,flat hunting,relocate,relocation,'
    'move house,moving house,second home,beach house,bedrooms,listings,property investment,investor,tenants,tenancy,lease,value house,'
    'house valuation'),
  ('property-management',
    'administrador,administradora fincas,comunidad,junta vecinos,junta propietarios,acta junta,derrama,vecino moroso,vecino ruidoso,'
    'vecino molesto,ruido vecinos,ascensor,portal edificio,escalera vecinos,zonas comunes,finca urbana,conserje,portero finca,gestión alquileres,'
    'gestión pisos turísticos,gestionar alquiler,gestionar piso,gestión vivienda vacacional,horizontal propiedad,división horizontal',
    'administradora finques,administrar comunitat,gestió comunitats,comunitat propietaris,president comunitat,reunió veïns,junta propietaris,'
    'derrames,quota comunitat,quotes comunitat,veí morós,veí sorollós,soroll veïns,veí molest,escala veïns,zones comunes,conserge,porter finca,'
    'gestió lloguers,gestió pisos turístics,gestionar lloguer,gestionar pis,estatuts comunitat,propietat horitzontal,divisió horitzontal,'
    'secretari comunitat',
    'managing agent,building manager,building management,building administrator,block management,community fees,service charge,condo fees,hoa,'
    'homeowners association,owners association,owners meeting,residents meeting,noisy neighbour,noisy neighbor,neighbour noise,neighbour dispute,'
    'elevator,lift broken,common areas,stairwell,caretaker,janitor,manage rental,rental management,manage flat,manage apartment,manage airbnb,'
    'airbnb management,holiday let management,keyholding,key holding,house sitting,absentee owner,tenant management,rent collection'),
  ('religiousorgs',
    'religioso,religiosa,fieles,culto,rezar,oración,templo,orar',
    'culte,resar,oració,temple,pregar',
    'religious,worship,pray,prayer,praying'),
  ('churches',
    'capilla,basílica,santuario,monasterio,convento,abadía,templo,parroquial,párroco,sacerdote,monja,fraile,obispo,obispado,horario misas,'
    'eucaristía,confesarse,confesar,confesión,rezar,rosario,bautizo,bautismo,bautizar,comunión,catequesis,funeral,matrimonio religioso,cáritas,'
    'evangélica,evangélico,protestante,católico,católica,anglicana,testigos jehová,dios,biblia,campanario,belén navidad,semana santa,procesión,'
    'cofradía,hermandad,románico',
    'esglésies,capella,ermites,santuari,monestir,convent,temple,mossèn,sacerdot,monges,frare,bisbe,bisbat,pastor evangèlic,horari misses,'
    'confessió,resar,bateig,batejar nadó,baptisme,primera comunió,enterrament,casament religiós,protestant,catòlic,testimonis jehovà,pessebre,'
    'setmana santa,processó,confraria,romànic,comunió nen,comunió nena,batejar fill,batejar filla',
    'chapel,sanctuary,shrine,hermitage,monastery,abbey,priest,vicar,reverend,nun,monk,bishop,diocese,sunday service,sunday worship,eucharist,'
    'confession,confess,pray,prayer,rosary,baptism,baptise,baptize,christening,christen,communion,catechism,sunday school,bible,religious wedding,'
    'catholic,evangelical,anglican,baptist,god,bell tower,nativity,easter service,holy week,procession,romanesque'),
  ('restaurants',
    'menú,cena,comedor,comemos,cenamos,cenita,comilona,hambre,reservar mesa,reserva mesa,mesa terraza,gastronomía,gastronómico,chef,cocinero,'
    'estrella michelin,buffet,bufé,postre,postres,sobremesa,cena romántica,romántico,comida rápida,almuerzo,cenar pareja',
    'menjam,mengem,dinem,sopem fora,àpat,tiberi,fam,reservar taula,reserva taula,gastronòmic,xef,cuiner,bufet lliure,sopar romàntic,romàntic,'
    'dinar fora,sopar parella',
    'eatery,bistro,eating,meal,dine,supper,hungry,starving,table two,book table,table booking,reserve table,reservation table,cuisine,gastronomy,'
    'date night,michelin,takeaway,takeout,take away,dessert,romantic dinner'),
  ('spanish',
    'mesón,tasca,figón,bodegón,cocina tradicional,comida tradicional,comida típica,platos típicos,comida abuela,menú diario,menú casero,'
    'menú trabajador,plato combinado,plato día,cuchara,cocido,fabada,lentejas,alubias,judías,potaje,puchero,guiso,estofado,gazpacho,salmorejo,'
    'migas,rabo toro,carrillera,codillo,cochinillo,lechazo,cordero,cabrito,asado,chuletón,chuletas,chuletillas,entrecot,solomillo,churrasco,'
    'secreto ibérico,presa ibérica,carne roja,carne vaca,parrilla,parrillada,brasa,brasería,barbacoa,pollo ast,tortilla,huevos rotos,croquetas,'
    'pimientos,morcilla,embutido,jamón,arroz leche,flan,torrijas,vino casa,cocina castellana,cocina vasca,cocina gallega,cocina andaluza,'
    'cocina asturiana,cachopo,taberna española,comer carne,carne asada,costillas cerdo,callos madrileña,guachinche',
    'casolana,menjar tradicional,cuina tradicional,plats típics,menjar iaia,menjar àvia,menú diari,plat combinat,plat dia,plats cullera,llenties,'
    'mongetes estofades,estofat,guisat,gaspatxo,cua bou,porcell,porcella,garrí,xai,corder,cabrit,rostit,filet,txuletó,xuletó,vedella,brases,'
    'graella,graellada,pollastre ast,truita,ous estrellats,croquetes,pebrots,botifarra,embotit,pernil,arròs llet,flam,vi casa,restaurant espanyol,'
    'menjar espanyol,cuina basca,cuina gallega,cuina andalusa,hostal menjar,fonda menjar,menjar carn,bona carn,carn rostida,costelles porc',
    'spanish dishes,spanish menu,typical food,traditional food,authentic food,home cooking,home cooked,homemade food,set menu,menu day,lunch set,'
    'stew,lentils,spanish omelette,croquettes,roast meat,lamb,suckling pig,roast chicken,oxtail,pork,steakhouse,ribeye,sirloin,t-bone,'
    'grilled meat,bbq,barbecue,grill,iberico,chorizo,rice pudding,basque food,basque restaurant,galician food,andalusian food,spanish wine dinner,'
    'meat restaurant,roast dinner'),
  ('tapas',
    'tapita,tapear,tapeando,pinchitos,picoteo,picotear,compartir platos,platillos,montadito,tosta,banderilla,gilda,croqueta,croquetitas,bravas,'
    'ensaladilla,tortilla,boquerones,anchoas,calamares,chocos,chopitos,puntillitas,pulpo gallega,mejillones,gambas ajillo,pimientos padrón,'
    'aceitunas,encurtidos,tabla quesos,tabla ibéricos,tabla embutidos,jamón,chorizo,chistorra,morcilla,torreznos,chicharrones,caracoles,'
    'champiñones,huevos rotos,huevos estrellados,alioli,pan tomate,aperitivo,taberna,cañas,cena informal,mojama,cazón,flamenquín,pescaíto,'
    'morro frito',
    'tapeta,tapetes,tapejar,pinxo,ració,picoteig,compartir plats,platets,torrades,torrada,gildes,banderilles,croquetes,braves,truita patates,'
    'seitons,anxoves,xocos,popets,pop gallega,clòtxines,gambes allet,pebrots padró,olives,envinagrats,taula formatges,taula embotits,pernil,'
    'xoriço,xistorra,botifarra,llardons,caragols,xampinyons,ous estrellats,allioli,pa tomàquet,pa tomata,aperitiu,taverna,sopar informal,'
    'cassoleta,cassoletes,frit variat,morro fregit',
    'small plates,sharing plates,share plates,shared dishes,share food,nibbles,nibble,finger food,light dinner,appetizers,appetisers,croquettes,'
    'spanish omelette,spanish ham,iberico ham,anchovies,calamari,squid rings,octopus,mussels,garlic prawns,padron peppers,cheese board,'
    'cheese platter,charcuterie board,meat board,russian salad,aioli,tomato bread,snails,meatballs,tasting plates,bar food'),
  ('catalan',
    'cocina mallorquina,cocina menorquina,cocina andorrana,cocina ampurdanesa,cocina montaña,comida mallorquina,comida andorrana,calçotada,'
    'calsots,calsotada,butifarra,escalivada,esqueixada,fricandó,trinxat,alioli,romesco,crema catalana,pan tomate,canelones,caracoles,mar montaña,'
    'xató,coca recapte,suquet,fuet,sobrasada,tumbet,frito mallorquín,pa oli,níscalos,jabalí,civet,pies cerdo,carrilleras,brasa,masía,cava,ratafía,'
    'mel mató,plato setas,setas rovellons,guachinche,menú diario,menú semana,comida casera,casa comidas,comer menú',
    'cuina mallorquina,cuina menorquina,cuina eivissenca,cuina andorrana,cuina empordanesa,cuina muntanya,cuina terra,cuina proximitat,'
    'plats catalans,calçotades,botifarra,botifarres,mongetes seques,carn olla,allioli,salvitxada,pa tomàquet,caragols,mar muntanya,coques,'
    'samfaina,espinacs catalana,faves,peus porc,galtes porc,llonganissa,sobrassada,trempó,frit mallorquí,arròs brut,sopes mallorquines,olleta,'
    'esgarraet,espencat,borreta,bolets,rovellons,senglar,isard,cabrit,graellada,masia menjar,masia restaurant,celler,fonda catalana,porró,'
    'torrades embotit,menú diari,cuina casolana',
    'catalan dishes,catalan menu,catalan sausage,aioli,catalan cream,bread tomato,cannelloni,snails,surf turf,mountain food,mountain restaurant,'
    'mountain cuisine,andorran food,andorran cuisine,mallorcan food,mallorcan restaurant,majorcan food,menorcan food,wild mushrooms,wild boar,'
    'farmhouse restaurant,grilled lamb,regional food,regional cuisine'),
  ('seafood',
    'mariscada,marisquero,marinero,cocina marinera,pescadito,fritura,freiduría,frito mixto,paellita,paellera,arrocero,arroces,fideuá,socarrat,'
    'zarzuela,suquet,caldereta,langostino,langosta,bogavante,cigala,carabineros,centollo,nécora,buey mar,percebes,ostra,almeja,coquinas,mejillón,'
    'berberechos,vieiras,zamburiñas,navajas plancha,pulpo,pulpito,calamar,chipirones,sepia,chocos,boquerones,sardina,espeto,anchoas,bacalao,'
    'merluza,lubina,dorada sal,rodaballo,lenguado,atún,salmón,salmonete,anguila,all pebre,puerto comer,lonja,comer playa,cocina valenciana,'
    'cocina mediterránea',
    'mariscades,mariner,marinera,peixos,peixet,paelleta,arrossos,fideuada,fideus rossejats,rossejat,sarsuela,llagostí,llagostins,llagosta,'
    'llamàntol,escamarlà,escamarlans,ostres,cloïsses,cloïssa,clòtxines,tellines,escopinyes,petxines,navalles planxa,popets,calamarsons,xipirons,'
    'sípia,seitons,sardines,sardinada,anxoves,bacallà,lluç,llobarro,orada,turbot,llenguado,tonyina,salmó,allipebre,llotja,menjar platja,'
    'cuina valenciana,cuina mediterrània,raor,musclos vapor,pop gallega',
    'catch day,arroz negro,lobster,langoustine,langoustines,shrimp,crab,crayfish,oyster,clam,mussel,scallops,cockles,squid,calamari,octopus,'
    'cuttlefish,sardine,anchovies,cod,hake,sea bass,seabass,sea bream,monkfish,tuna,red mullet,eel,bouillabaisse,fisherman,harbour restaurant,'
    'harbor restaurant,beach restaurant,seafront restaurant,waterfront restaurant,seaside lunch,valencian food,mediterranean food,'
    'mediterranean restaurant'),
  ('pizza',
    'pizzero,pizzita,cocina italiana,trattoria,tratoria,ristorante,osteria,horno leña,masa fina,napolitana,margherita,cuatro quesos,'
    'cuatro estaciones,pepperoni,peperoni,carbonara,calzone,focaccia,mozzarella,burrata,espaguetis,spaghetti,macarrones,tallarines,ravioli,'
    'tortellini,ñoquis,gnocchi,lasaña,canelones,risotto,boloñesa,pesto,tiramisú,panna cotta,parmesano,prosciutto,carpaccio,antipasto,limoncello,'
    'lambrusco',
    'cuina italiana,forn llenya,massa fina,quatre formatges,quatre estacions,nyoquis,lasanya,lasanyes,bolonyesa,parmesà',
    'wood fired,wood oven,stone baked,crust,neapolitan,four cheese,bolognese,macaroni,tagliatelle,linguine,penne,lasagne,lasagna,cannelloni,'
    'garlic bread,parmesan,antipasti'),
  ('vegetarian',
    'vegana,vegetal,verdura,verduritas,hortalizas,veggie,flexitariano,crudivegano,crudivegana,raw food,comida sana,comer sano,saludable,healthy,'
    'comida ligera,macrobiótico,macrobiótica,poke,quinoa,tofu,seitán,tempeh,hummus,humus,falafel,aguacate,aguacates,smoothie,smoothies,'
    'batido verde,zumo verde,zumos naturales,açai,celiaco,celíaca,celiaquía,sin lactosa,intolerante lactosa,intolerancia,alergias alimentarias,'
    'dieta comer,kombucha,gluten,comida ecológica,comida orgánica,comida bio',
    'verdures,verduretes,hortalisses,flexitarià,crudivegà,menjar lleuger,macrobiòtic,amanida,ensalades,alvocat,batut verd,suc verd,sucs naturals,'
    'celíac,sense lactosa,intolerant lactosa,al·lèrgies alimentàries,kombutxa,menjar ecològic,menjar bio',
    'veggies,vegetables,vegetable,veg food,plantbased,meatless,flexitarian,eat clean,light food,organic food,wholefood,buddha bowl,avocado,'
    'green juice,cold pressed juice,juice bar,coeliac,dairy free,lactose,food allergies,food intolerance,lentil,chickpeas,organic meal'),
  ('shopping',
    'tiendecita,comerciante,escaparates,rebajas,regalo',
    'botigueta,comerços,comerciant,aparadors,rebaixes,regal',
    'shopping,buying,purchase,retail,gift,presents,souvenir'),
  ('fashion',
    'ropita,prenda,traje,invitada boda,madrina,esmoquin,chaqué,blazer,chaqueta,cazadora,abrigo,plumífero,gabardina,jersey,jerséis,sudadera,'
    'camiseta,blusa,pantalón,vaqueros,tejanos,jeans,falda,pijama,lencería,sujetador,bragas,calzoncillos,calcetines,bikini,bañador,zapatería,'
    'calzado,botas,botines,sandalias,tacones,mocasines,alpargatas,zapatillas casa,bolso,cinturón,corbata,bufanda,gorro,sombrero,guantes,pañuelo,'
    'foulard,complementos,bisutería,pulsera,joyería,joyas,tallas grandes,talla grande,probador,probarme,vintage,personal shopper,vestirme,vestir,'
    'disfraz,disfraces,uniforme escolar,pantis,pendientes oro,pendientes plata,tienda outlet,zapatillas deportivas,zapatillas blancas,qué ponerme,'
    'ponerme boda,ropa boda,vestido boda',
    'convidada,jaqueta,jaquetes,caçadora,abric,anorac,gavardina,dessuadora,dessuadores,samarreta,samarretes,camises,brusa,bruses,pantaló,texans,'
    'texà,faldilla,faldilles,pijames,llenceria,sostenidor,mitjons,biquini,sabata,sabateria,botes,sandàlies,mocassins,espardenya,espardenyes,'
    'avarques,vambes,sabatilles casa,bossa mà,bosses mà,cinturó,gorra,barret,mocador,complements,bijuteria,arracades,collaret,polsera,joieria,'
    'joies,talles grans,talla gran,emprovador,emprovar,disfressa,disfresses,botiga outlet,sabatilles blanques,banyador dona,banyador home,'
    'calces dona,calçotets home,calçat nen,calçat dona,triar roba,assessor imatge,què posar-me',
    'apparel,garment,outfit,wardrobe,wear,womenswear,menswear,dress,bridesmaid,wedding guest,tuxedo,jacket,coat,raincoat,sweater,jumper,hoodie,'
    'hoodies,sweatshirt,tshirt,shirt,blouse,trousers,pants,denim,shorts,skirt,pyjamas,pajamas,lingerie,underwear,bra,knickers,socks,tights,'
    'swimsuit,swimwear,swimming trunks,shoe,footwear,boots,sandals,high heels,loafers,espadrilles,slippers,handbag,purse,necktie,bow tie,scarf,'
    'hat,gloves,jewellery,jewelry,earrings,necklace,bracelet,plus size,fitting room,thrift,costume,costumes,school uniform,outlet store,'
    'leather belt,running trainers,white trainers'),
  ('bookstores',
    'librero,librera,librito,leer,lectura,lector,lectora,cómic,tebeo,poesía,poemas,biografía,bestseller,material escolar,diccionario,enciclopedia,'
    'atlas,mapa,guías viaje,escritor,escritora,papelería,cuadernos,libreta,bolígrafo,rotuladores,lápices,mochila escolar,audiolibro,ebook,kindle,'
    'recetario,día sant jordi,regalo',
    'llibreter,llibretera,llibreteria,llibreries,llibret,novel·la,novel·les,llegir,conte,rondalles,poemes,diccionari,atles,mapes,guies viatge,'
    'guia viatge,escriptor,escriptora,papereria,quaderns,llibreta,bolígraf,retoladors,llapis,motxilla escolar,audiollibre,receptari,'
    'diada sant jordi,sant jordi,regal llibre',
    'bookseller,bookstores,fiction,thriller,read,reader,storybook,poetry,essay,biography,paperback,hardcover,antiquarian,textbook,school supplies,'
    'dictionary,encyclopedia,travel guide,guidebook,author,writer,stationery,notebook,notepad,diary,pens,pencils,audiobook,cookbook,'
    'bedtime stories,gift'),
  ('florists',
    'florcitas,floricultura,florería,arreglo floral,decoración floral,tulipán,girasol,clavel,orquídea,lirios,lilium,hortensias,peonías,gerberas,'
    'crisantemos,paniculata,eucalipto,ramillete,pétalos,funeral,condolencias,pésame,san valentín,enamorados,día madre,aniversario boda,'
    'aniversario novia,detalle novia,pedir perdón,maceta,plantas,cactus,suculentas,bonsái,poinsettia,terrario,rosa roja,día sant jordi,me caso,'
    'regalo flores,flores boda,regalo',
    'floretes,arranjament floral,decoració floral,rosa vermella,tulipa,tulipes,gira-sol,clavell,margarides,orquídia,orquídies,lliris,hortènsies,'
    'peònies,gerberes,crisantems,pomell,toia,pètals,condol,sant valentí,enamorats,dia mare,demanar perdó,plantes,test planta,suculentes,ponsètia,'
    'diada sant jordi,rosa sant jordi,regal flors',
    'floral,floristry,centrepiece,centerpiece,sunflower,carnation,daisies,orchid,lilies,hydrangea,peony,chrysanthemum,buttonhole,corsage,'
    'boutonniere,wreath,sympathy,condolence,condolences,valentine,valentines,mothers day,anniversary girlfriend,anniversary wife,say sorry,'
    'houseplant,potted plant,plant gift,succulent,terrarium,gift'),
  ('sporting-goods',
    'bambas,ropa deportiva,ropa deporte,material deportivo,artículos deportivos,equipamiento deportivo,equipación,camiseta fútbol,botas fútbol,'
    'balón,pelota,raqueta,pala pádel,ping pong,patines,patinete,monopatín,skate,skateboard,longboard,tabla surf,neopreno,gafas nadar,gafas bucear,'
    'aletas,bañador natación,chándal,mallas,leggings,sujetador deportivo,mochila montaña,botas montaña,botas senderismo,bastones,tienda campaña,'
    'saco dormir,esterilla,cantimplora,linterna frontal,pies gato,arnés,mosquetones,cuerda escalada,material escalada,caña pescar,cebo pesca,'
    'biciclo,ebike,mtb,mountain bike,btt,ciclismo,ciclista,manillar,pedal,sillín,pesas comprar,mancuernas,running,correr,runner,maillot,culotte,'
    'pala tenis,artículos pesca,pesca deportiva,licencia pesca,artículos caza',
    'vambes,bambes,sabatilles,roba esportiva,roba esport,material esportiu,articles esportius,equipament esportiu,equipació,samarreta futbol,'
    'botes futbol,pilota,pilotes,raquetes,patinet,monopatí,taula surf,neoprè,ulleres nedar,ulleres bussejar,aletes,peus ànec,banyador natació,'
    'xandall,malles,motxilla muntanya,botes muntanya,botes senderisme,tenda campanya,sac dormir,màrfega,llanterna frontal,lot frontal,peus gat,'
    'corda escalada,canya pescar,ciclisme,selló,manuelles,mallot,articles pesca,pesca esportiva,articles caça,esquer pesca',
    'sports store,sporting goods,sports equipment,sports gear,sportswear,sports clothes,activewear,jogging,football boots,cleats,football shirt,'
    'soccer jersey,soccer ball,racket,racquet,skates,rollerblades,skate shop,scooter electric,surfboard,wetsuit,goggles,flippers,snorkel,'
    'tracksuit,sports bra,backpack,rucksack,hiking boots,hiking gear,hiking poles,trekking poles,tent,sleeping bag,camping gear,camping equipment,'
    'climbing shoes,climbing gear,harness,carabiner,fishing rod,fishing tackle,fishing bait,hunting gear,bicycles,cycle shop,cycling,cyclist,'
    'inner tube,handlebar,dumbbells,yoga mat,football kit,fishing gear')
) as words (code, es, ca, en),
  lateral (values ('es', es), ('ca', ca), ('en', en)) as spoken (language, terms),
  lateral unnest(string_to_array(terms, ',')) as term
where term <> ''
on conflict (category_slug, language_code, normalized_term) do nothing;
